"""What is asked, read by rows of data, and what a reading never says."""
