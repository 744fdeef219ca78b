"""What is shown over time.

choice    result -> the variables to be shown
modes     result -> Booleans, Integers and enumerations as bars
shading   result -> modes behind the curves of a plot, and as a strip
axis      result -> what curves are drawn over: time, or numbers of steps
plot      result -> matplotlib figure
compared  two results -> the curves that differ most
"""
