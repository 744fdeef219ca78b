"""What is shown over time.

choice    result -> the variables to be shown
modes     result -> Booleans, Integers and enumerations as bars
shading   result -> modes behind the curves of a plot, and as a strip
drawn     runs and files of results alike, in display units; differences
axis      result -> what curves are drawn over: time, numbers of steps, or another variable
plot      results -> matplotlib figure
compared  two results -> the curves that differ most
"""
