package External "External functions that are provided for runs: by their C names, written in Modelica"

  class Table "A row of numbers; ir/external/tables.py says what is at which place"
    extends ExternalObject;
    function constructor
      output Table table;
      external "C" table = saltus_table();
    end constructor;
    function destructor
      input Table table;
      external "C" saltus_close(table);
    end destructor;
  end Table;

  function peek "The number at a place, counted from 0"
    input Table table;
    input Integer place;
    output Real value;
    external "builtin" value = peek(table, place);
  end peek;

  constant Integer first = 11 "Place of the first abscissa";
  constant Real same = 1e-12 "Times that differ by less, in relation to their size, are the same";
  constant Real never = 1.7976931348623157e308 "No time event";

  // ---------------------------------------------------------------- pieces

  function pieceOf "How many of n abscissas, which begin at a place, are not above u"
    input Table table;
    input Integer start;
    input Integer n;
    input Integer index "Place of the index of these abscissas, 0 if they have none";
    input Real u;
    output Integer piece;
  protected
    Integer past;
    Integer middle;
    Real low;
    Real high;
  algorithm
    piece := 0;
    past := n;
    if index > 0 then
      low := peek(table, start);
      high := peek(table, start + n - 1);
      if u < low then
        past := 0;
      elseif u >= high then
        piece := n;
      else
        middle := min(integer((u - low)/(high - low)*(n - 1)), n - 2);
        piece := integer(peek(table, index + middle));
        if u < peek(table, start + piece - 1) then
          past := piece - 1;
          piece := 0;
        elseif u < peek(table, start + piece) then
          past := piece;
        else
          piece := piece + 1;
          past := max(piece, integer(peek(table, index + middle + 1)));
        end if;
      end if;
    end if;
    while past > piece loop
      middle := div(piece + past + 1, 2);
      if peek(table, start + middle - 1) <= u then
        piece := middle;
      else
        past := middle - 1;
      end if;
    end while;
  end pieceOf;

  function periodic "u moved by whole periods to where the table is; the last abscissa stays where it is"
    input Real u;
    input Real low;
    input Real high;
    output Real moved;
  algorithm
    if u > high then
      moved := u - (high - low)*ceil((u - high)/(high - low));
    elseif u < low then
      moved := u + (high - low)*ceil((low - u)/(high - low));
    else
      moved := u;
    end if;
  end periodic;

  // ---------------------------------------------------------------- one input

  function polynomial "A derivative of order 0, 1 or 2 of a piece of a column"
    input Table table;
    input Integer column;
    input Integer piece;
    input Real u;
    input Integer order;
    output Real y;
  protected
    Integer at;
    Real v;
  algorithm
    assert(column >= 1 and column <= peek(table, 1) or peek(table, 0) < 1, "a table has no such column");
    if peek(table, 0) >= 1 then
      v := u - peek(table, first + max(piece, 1) - 1);
      at := integer(peek(table, 4)) + 4*(piece*integer(peek(table, 1)) + column - 1);
      if order == 0 then
        y := peek(table, at) + v*(peek(table, at + 1) + v*(peek(table, at + 2) + v*peek(table, at + 3)));
      elseif order == 1 then
        y := peek(table, at + 1) + v*(2*peek(table, at + 2) + v*3*peek(table, at + 3));
      else
        y := 2*peek(table, at + 2) + v*6*peek(table, at + 3);
      end if;
    end if;
  end polynomial;

  function value1D "A derivative of order 0, 1 or 2 of a column of a table of one input"
    input Table table;
    input Integer column;
    input Real u;
    input Integer order;
    output Real y;
  protected
    Integer n;
    Real low;
    Real high;
    Real w;
  algorithm
    n := integer(peek(table, 0));
    w := u;
    if n > 1 then
      low := peek(table, first);
      high := peek(table, first + n - 1);
      if peek(table, 3) > 0 then
        w := periodic(u, low, high);
      end if;
      assert(peek(table, 2) <= 0 or u >= low and u <= high,
        "a table is asked outside of its abscissas, which its extrapolation forbids");
    end if;
    y := polynomial(table, column, pieceOf(table, first, n, integer(peek(table, 9)), w), w, order);
  end value1D;

  function ModelicaStandardTables_CombiTable1D_getValue
    input Table table;
    input Integer column;
    input Real u;
    output Real y;
  algorithm
    y := value1D(table, column, u, 0);
  end ModelicaStandardTables_CombiTable1D_getValue;

  function ModelicaStandardTables_CombiTable1D_getDerValue
    input Table table;
    input Integer column;
    input Real u;
    input Real du;
    output Real dy;
  algorithm
    dy := value1D(table, column, u, 1)*du;
  end ModelicaStandardTables_CombiTable1D_getDerValue;

  function ModelicaStandardTables_CombiTable1D_getDer2Value
    input Table table;
    input Integer column;
    input Real u;
    input Real du;
    input Real ddu;
    output Real ddy;
  algorithm
    ddy := value1D(table, column, u, 1)*ddu + value1D(table, column, u, 2)*du^2;
  end ModelicaStandardTables_CombiTable1D_getDer2Value;

  function ModelicaStandardTables_CombiTable1D_minimumAbscissa
    input Table table;
    output Real u;
  algorithm
    u := peek(table, first);
  end ModelicaStandardTables_CombiTable1D_minimumAbscissa;

  function ModelicaStandardTables_CombiTable1D_maximumAbscissa
    input Table table;
    output Real u;
  algorithm
    u := peek(table, first + max(integer(peek(table, 0)), 1) - 1);
  end ModelicaStandardTables_CombiTable1D_maximumAbscissa;

  // ---------------------------------------------------------------- time

  function timeValue "A derivative of order 0, 1 or 2 of a column of a time table.
    Where time has come to the next event, which is still to be handled, this is the limit from the left; else the one
    from the right, also if rounding has left time a little before the event that has been handled."
    input Table table;
    input Integer column;
    input Real t;
    input Real next;
    input Integer order;
    output Real y;
  protected
    Integer n;
    Integer piece;
    Real low;
    Real high;
    Real start;
    Real w;
    Real instant;
    Real near;
    Boolean left;
  algorithm
    n := integer(peek(table, 0));
    start := peek(table, 5);
    low := peek(table, first);
    high := peek(table, first + max(n, 1) - 1);
    near := same*(abs(t) + (high - low));
    left := t >= next - near and next < never;
    if t < start - near or left and next <= start + near then
      y := 0;
    else
      // The instant whose piece is taken. The piece before an event goes on until the event has been handled.
      w := (if left then next else t) - peek(table, 6);
      instant := w;
      if peek(table, 3) > 0 then
        if left then
          instant := periodic(w - near, low, high) + near;
        else
          instant := low + high - periodic(low + high - w - near, low, high) - near;
        end if;
      else
        assert(peek(table, 2) <= 0 or w >= low - near and w <= high + near,
          "a time table is asked outside of its times, which its extrapolation forbids");
      end if;
      piece := pieceOf(table, first, n, integer(peek(table, 9)), if left then instant - near else instant + near);
      y := polynomial(table, column, piece, t - peek(table, 6) + (instant - w), order);
    end if;
  end timeValue;

  function ModelicaStandardTables_CombiTimeTable_getValue
    input Table table;
    input Integer column;
    input Real t;
    input Real next;
    input Real preNext;
    output Real y;
  algorithm
    y := timeValue(table, column, t, next, 0);
  end ModelicaStandardTables_CombiTimeTable_getValue;

  function ModelicaStandardTables_CombiTimeTable_getDerValue
    input Table table;
    input Integer column;
    input Real t;
    input Real next;
    input Real preNext;
    input Real dt;
    output Real dy;
  algorithm
    dy := timeValue(table, column, t, next, 1)*dt;
  end ModelicaStandardTables_CombiTimeTable_getDerValue;

  function ModelicaStandardTables_CombiTimeTable_getDer2Value
    input Table table;
    input Integer column;
    input Real t;
    input Real next;
    input Real preNext;
    input Real dt;
    input Real ddt;
    output Real ddy;
  algorithm
    ddy := timeValue(table, column, t, next, 1)*ddt + timeValue(table, column, t, next, 2)*dt^2;
  end ModelicaStandardTables_CombiTimeTable_getDer2Value;

  function ModelicaStandardTables_CombiTimeTable_minimumTime
    input Table table;
    output Real t;
  algorithm
    t := peek(table, first);
  end ModelicaStandardTables_CombiTimeTable_minimumTime;

  function ModelicaStandardTables_CombiTimeTable_maximumTime
    input Table table;
    output Real t;
  algorithm
    t := peek(table, first + max(integer(peek(table, 0)), 1) - 1);
  end ModelicaStandardTables_CombiTimeTable_maximumTime;

  function ModelicaStandardTables_CombiTimeTable_nextTimeEvent "The first event after t"
    input Table table;
    input Real t;
    output Real next;
  protected
    Integer n;
    Integer events;
    Integer place;
    Integer passed;
    Real start;
    Real low;
    Real high;
    Real near;
    Real moved;
    Real shift;
  algorithm
    n := integer(peek(table, 0));
    place := integer(peek(table, 7));
    events := integer(peek(table, 8));
    start := peek(table, 5);
    shift := peek(table, 6);
    low := peek(table, first);
    high := peek(table, first + max(n, 1) - 1);
    near := same*(abs(t) + (high - low));
    next := never;
    if t < start - near then
      next := start;
    elseif n > 1 then
      if peek(table, 3) > 0 then
        // How many periods ago the table had the present values, so that what is moved is from low up to high.
        moved := (high - low)*floor((t + near - shift - low)/(high - low));
      else
        moved := 0;
      end if;
      passed := pieceOf(table, place, events, 0, t + near - shift - moved);
      if peek(table, 3) > 0 and passed >= events then
        moved := moved + (high - low);
        passed := 1;
      end if;
      if passed < events then
        next := peek(table, place + passed) + moved + shift;
      end if;
    end if;
  end ModelicaStandardTables_CombiTimeTable_nextTimeEvent;

  // ---------------------------------------------------------------- two inputs

  function cell "The place of the coefficients for two inputs, which are moved into the table if it is periodic"
    input Table table;
    input Real u1;
    input Real u2;
    output Integer at;
    output Real v1 "From where the coefficients count";
    output Real v2;
  protected
    Integer n1;
    Integer n2;
    Integer i;
    Integer j;
    Real low1;
    Real high1;
    Real low2;
    Real high2;
    Real w1;
    Real w2;
  algorithm
    n1 := max(integer(peek(table, 0)), 1);
    n2 := max(integer(peek(table, 1)), 1);
    low1 := peek(table, first);
    high1 := peek(table, first + n1 - 1);
    low2 := peek(table, first + n1);
    high2 := peek(table, first + n1 + n2 - 1);
    w1 := u1;
    w2 := u2;
    if peek(table, 3) > 0 then
      if n1 > 1 then
        w1 := periodic(u1, low1, high1);
      end if;
      if n2 > 1 then
        w2 := periodic(u2, low2, high2);
      end if;
    end if;
    assert(peek(table, 2) <= 0 or (n1 == 1 or u1 >= low1 and u1 <= high1) and (n2 == 1 or u2 >= low2 and u2 <= high2),
      "a table is asked outside of its abscissas, which its extrapolation forbids");
    i := pieceOf(table, first, n1, integer(peek(table, 9)), w1);
    j := pieceOf(table, first + n1, n2, integer(peek(table, 10)), w2);
    at := integer(peek(table, 4)) + 16*(i*(n2 + 1) + j);
    v1 := w1 - peek(table, first + max(i, 1) - 1);
    v2 := w2 - peek(table, first + n1 + max(j, 1) - 1);
  end cell;

  function row "A derivative by the second input of a row of four coefficients"
    input Table table;
    input Integer at;
    input Real v;
    input Integer order;
    output Real y;
  algorithm
    if order == 0 then
      y := peek(table, at) + v*(peek(table, at + 1) + v*(peek(table, at + 2) + v*peek(table, at + 3)));
    elseif order == 1 then
      y := peek(table, at + 1) + v*(2*peek(table, at + 2) + v*3*peek(table, at + 3));
    else
      y := 2*peek(table, at + 2) + v*6*peek(table, at + 3);
    end if;
  end row;

  function bicubic "A derivative by both inputs"
    input Table table;
    input Integer at;
    input Real v1;
    input Real v2;
    input Integer order1;
    input Integer order2;
    output Real y;
  protected
    Real c0;
    Real c1;
    Real c2;
    Real c3;
  algorithm
    c0 := row(table, at, v2, order2);
    c1 := row(table, at + 4, v2, order2);
    c2 := row(table, at + 8, v2, order2);
    c3 := row(table, at + 12, v2, order2);
    if order1 == 0 then
      y := c0 + v1*(c1 + v1*(c2 + v1*c3));
    elseif order1 == 1 then
      y := c1 + v1*(2*c2 + v1*3*c3);
    else
      y := 2*c2 + v1*6*c3;
    end if;
  end bicubic;

  function ModelicaStandardTables_CombiTable2D_getValue
    input Table table;
    input Real u1;
    input Real u2;
    output Real y;
  protected
    Integer at;
    Real v1;
    Real v2;
  algorithm
    (at, v1, v2) := cell(table, u1, u2);
    y := bicubic(table, at, v1, v2, 0, 0);
  end ModelicaStandardTables_CombiTable2D_getValue;

  function ModelicaStandardTables_CombiTable2D_getDerValue
    input Table table;
    input Real u1;
    input Real u2;
    input Real du1;
    input Real du2;
    output Real dy;
  protected
    Integer at;
    Real v1;
    Real v2;
  algorithm
    (at, v1, v2) := cell(table, u1, u2);
    dy := bicubic(table, at, v1, v2, 1, 0)*du1 + bicubic(table, at, v1, v2, 0, 1)*du2;
  end ModelicaStandardTables_CombiTable2D_getDerValue;

  function ModelicaStandardTables_CombiTable2D_getDer2Value
    input Table table;
    input Real u1;
    input Real u2;
    input Real du1;
    input Real du2;
    input Real ddu1;
    input Real ddu2;
    output Real ddy;
  protected
    Integer at;
    Real v1;
    Real v2;
  algorithm
    (at, v1, v2) := cell(table, u1, u2);
    ddy := bicubic(table, at, v1, v2, 1, 0)*ddu1 + bicubic(table, at, v1, v2, 0, 1)*ddu2
      + bicubic(table, at, v1, v2, 2, 0)*du1^2 + bicubic(table, at, v1, v2, 0, 2)*du2^2
      + 2*bicubic(table, at, v1, v2, 1, 1)*du1*du2;
  end ModelicaStandardTables_CombiTable2D_getDer2Value;

  function ModelicaStandardTables_CombiTable2D_minimumAbscissa
    input Table table;
    output Real u[2];
  algorithm
    u := {peek(table, first), peek(table, first + integer(peek(table, 0)))};
  end ModelicaStandardTables_CombiTable2D_minimumAbscissa;

  function ModelicaStandardTables_CombiTable2D_maximumAbscissa
    input Table table;
    output Real u[2];
  protected
    Integer n;
  algorithm
    n := integer(peek(table, 0));
    u := {peek(table, first + max(n, 1) - 1), peek(table, first + max(n + integer(peek(table, 1)), 1) - 1)};
  end ModelicaStandardTables_CombiTable2D_maximumAbscissa;

  // ---------------------------------------------------------------- Fourier transform

  function ModelicaFFT_kiss_fftr "Amplitudes and phases of the Fourier transform of an even number of samples"
    input Real u[:];
    input Integer nu;
    input Real work[:] "not needed here";
    input Integer nwork;
    output Integer info "0, or 1 if the number of samples is odd";
    output Real amplitudes[div(size(u, 1), 2) + 1] "divided by the number of amplitudes";
    output Real phases[div(size(u, 1), 2) + 1];
  protected
    constant Real turn = 6.283185307179586;
    Real c[size(u, 1)] "cosines of all parts of a turn";
    Real s[size(u, 1)];
    Real re;
    Real im;
    Integer part;
  algorithm
    info := mod(size(u, 1), 2);
    if info == 0 then
      for j in 1:size(u, 1) loop
        c[j] := cos(turn*(j - 1)/size(u, 1));
        s[j] := sin(turn*(j - 1)/size(u, 1));
      end for;
      for k in 1:div(size(u, 1), 2) + 1 loop
        re := 0;
        im := 0;
        part := 1;
        for j in 1:size(u, 1) loop
          re := re + u[j]*c[part];
          im := im - u[j]*s[part];
          part := part + k - 1;
          if part > size(u, 1) then
            part := part - size(u, 1);
          end if;
        end for;
        amplitudes[k] := sqrt(re^2 + im^2)/(div(size(u, 1), 2) + 1);
        phases[k] := atan2(im, re);
      end for;
    end if;
  end ModelicaFFT_kiss_fftr;

end External;
