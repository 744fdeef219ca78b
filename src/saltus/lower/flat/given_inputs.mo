// What stands for an input of a model whose value is given to its runs from outside.
model Given "A curve over time that is given to the run"
  class Curve
    extends ExternalObject;
    function constructor
      input String name;
      output Curve curve;
      external "C" curve = saltus_given_curve(name);
    end constructor;
    function destructor
      input Curve curve;
      external "C" ModelicaStandardTables_CombiTimeTable_close(curve);
    end destructor;
  end Curve;

  function following "The next instant at which something happens"
    input Curve curve;
    input Real t;
    output Real next;
    external "C" next = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(curve, t);
  end following;

  function value
    input Curve curve;
    input Integer column;
    input Real t;
    input Real next;
    input Real preNext;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(curve, column, t, next, preNext);
    annotation(derivative(noDerivative = next, noDerivative = preNext) = slope);
  end value;

  function slope
    input Curve curve;
    input Integer column;
    input Real t;
    input Real next;
    input Real preNext;
    input Real der_t;
    output Real der_y;
    external "C" der_y = ModelicaStandardTables_CombiTimeTable_getDerValue(curve, column, t, next, preNext, der_t);
    annotation(derivative(order = 2, noDerivative = next, noDerivative = preNext) = bend);
  end slope;

  function bend
    input Curve curve;
    input Integer column;
    input Real t;
    input Real next;
    input Real preNext;
    input Real der_t;
    input Real der_2_t;
    output Real der_2_y;
    external "C" der_2_y = ModelicaStandardTables_CombiTimeTable_getDer2Value(curve, column, t, next, preNext, der_t,
      der_2_t);
  end bend;

  parameter String name;
  parameter Curve curve = Curve(name);
  parameter Real offset = 0 "By which all values are higher";
  discrete Real next "When something happens next";
  Real y;
equation
  when {time >= pre(next), initial()} then
    next = following(curve, time);
  end when;
  y = offset + value(curve, 1, time, next, pre(next));
end Given;

model GivenTruth
  extends Given;
  Boolean truth = y > 0.5;
end GivenTruth;

model GivenNumber
  extends Given;
  Integer number = integer(y + 0.5);
end GivenNumber;
