"""Charts and drawings as figures for print, with matplotlib."""
