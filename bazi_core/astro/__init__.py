"""Time scales, solar terms, new moons, equation of time, civil clocks, the lunar calendar."""
