"""Tables by the C names of the standard library, as small models of our own."""

from __future__ import annotations

from collections.abc import Sequence

FUNCTIONS = """
package T
  class Table1D
    extends ExternalObject;
    function constructor
      input String name;
      input String file;
      input Real table[:, :];
      input Integer columns[:];
      input Integer smoothness;
      input Integer extrapolation;
      output Table1D made;
      external "C" made = ModelicaStandardTables_CombiTable1D_init2(file, name, table, size(table, 1),
        size(table, 2), columns, size(columns, 1), smoothness, extrapolation, false);
    end constructor;
    function destructor
      input Table1D made;
      external "C" ModelicaStandardTables_CombiTable1D_close(made);
    end destructor;
  end Table1D;

  function value1D
    input Table1D table;
    input Integer column;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, column, u);
    annotation(derivative = slope1D);
  end value1D;

  function slope1D
    input Table1D table;
    input Integer column;
    input Real u;
    input Real der_u;
    output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTable1D_getDerValue(table, column, u, der_u);
    annotation(derivative(order = 2) = curvature1D);
  end slope1D;

  function curvature1D
    input Table1D table;
    input Integer column;
    input Real u;
    input Real der_u;
    input Real der2_u;
    output Real der2_y;
    external "C" der2_y = ModelicaStandardTables_CombiTable1D_getDer2Value(table, column, u, der_u, der2_u);
  end curvature1D;

  function plain1D "Without the annotation: differentiated automatically"
    input Table1D table;
    input Integer column;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, column, u);
  end plain1D;

  function lowest
    input Table1D table;
    output Real u;
    external "C" u = ModelicaStandardTables_CombiTable1D_minimumAbscissa(table);
  end lowest;

  function highest
    input Table1D table;
    output Real u;
    external "C" u = ModelicaStandardTables_CombiTable1D_maximumAbscissa(table);
  end highest;

  class TimeTable
    extends ExternalObject;
    function constructor
      input String name;
      input String file;
      input Real table[:, :];
      input Real start;
      input Integer columns[:];
      input Integer smoothness;
      input Integer extrapolation;
      input Real shift;
      input Integer events;
      output TimeTable made;
      external "C" made = ModelicaStandardTables_CombiTimeTable_init2(file, name, table, size(table, 1),
        size(table, 2), start, columns, size(columns, 1), smoothness, extrapolation, shift, events, false);
    end constructor;
    function destructor
      input TimeTable made;
      external "C" ModelicaStandardTables_CombiTimeTable_close(made);
    end destructor;
  end TimeTable;

  function timeValue
    input TimeTable table;
    input Integer column;
    input Real t;
    discrete input Real next;
    discrete input Real preNext;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(table, column, t, next, preNext);
    annotation(derivative(noDerivative = next, noDerivative = preNext) = timeSlope);
  end timeValue;

  function timeSlope
    input TimeTable table;
    input Integer column;
    input Real t;
    discrete input Real next;
    discrete input Real preNext;
    input Real der_t;
    output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTimeTable_getDerValue(table, column, t, next, preNext,
      der_t);
  end timeSlope;

  function nextEvent
    input TimeTable table;
    input Real t;
    output Real next;
    external "C" next = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(table, t);
  end nextEvent;

  block Source "A table of time, with its events"
    parameter Real table[:, :];
    parameter Real scale = 1;
    parameter Real start = 0;
    parameter Real shift = start;
    parameter Integer smoothness = 1;
    parameter Integer extrapolation = 2;
    parameter Integer events = 1;
    parameter TimeTable id = TimeTable("NoName", "NoName", table, start/scale, {2}, smoothness, extrapolation,
      shift/scale, events);
    discrete Real next(start = 0, fixed = true);
    discrete Real nextScaled(start = 0, fixed = true);
    Real t;
    output Real y;
  equation
    t = time/scale;
    when {time >= pre(next), initial()} then
      nextScaled = nextEvent(id, t);
      next = if nextScaled < 1e300 then nextScaled*scale else 1e300;
    end when;
    y = timeValue(id, 1, t, nextScaled, pre(nextScaled));
  end Source;

  class Table2D
    extends ExternalObject;
    function constructor
      input String name;
      input String file;
      input Real table[:, :];
      input Integer smoothness;
      input Integer extrapolation;
      output Table2D made;
      external "C" made = ModelicaStandardTables_CombiTable2D_init2(file, name, table, size(table, 1),
        size(table, 2), smoothness, extrapolation, false);
    end constructor;
    function destructor
      input Table2D made;
      external "C" ModelicaStandardTables_CombiTable2D_close(made);
    end destructor;
  end Table2D;

  function value2D
    input Table2D table;
    input Real u1;
    input Real u2;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(table, u1, u2);
    annotation(derivative = slope2D);
  end value2D;

  function slope2D
    input Table2D table;
    input Real u1;
    input Real u2;
    input Real der_u1;
    input Real der_u2;
    output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTable2D_getDerValue(table, u1, u2, der_u1, der_u2);
    annotation(derivative(order = 2) = curvature2D);
  end slope2D;

  function curvature2D
    input Table2D table;
    input Real u1;
    input Real u2;
    input Real der_u1;
    input Real der_u2;
    input Real der2_u1;
    input Real der2_u2;
    output Real der2_y;
    external "C" der2_y = ModelicaStandardTables_CombiTable2D_getDer2Value(table, u1, u2, der_u1, der_u2,
      der2_u1, der2_u2);
  end curvature2D;

  function lowest2D
    input Table2D table;
    output Real u[2];
    external "C" ModelicaStandardTables_CombiTable2D_minimumAbscissa(table, u);
  end lowest2D;

  function highest2D
    input Table2D table;
    output Real u[2];
    external "C" ModelicaStandardTables_CombiTable2D_maximumAbscissa(table, u);
  end highest2D;
end T;
"""

LINEAR, AKIMA, CONSTANT, FRITSCH_BUTLAND, STEFFEN, MAKIMA = range(1, 7)
HOLD, LAST_TWO, PERIODIC, NONE = range(1, 5)
ALWAYS, AT_JUMPS, NEVER = range(1, 4)


def matrix(rows: Sequence[Sequence[float]]) -> str:
    """A literal of the language."""
    return "[" + "; ".join(", ".join(repr(float(v)) for v in row) for row in rows) + "]"
