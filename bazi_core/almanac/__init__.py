"""The almanac 黄历 and the choice of days 择日: what a civil day is at a place, and what 《协纪辨方书》 says of it."""
