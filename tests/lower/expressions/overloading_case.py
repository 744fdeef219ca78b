"""An operator record for complex numbers, for tests of overloading; the truth is Python's `complex`."""

from __future__ import annotations

#: `Cx` with the operators that complex numbers have; vectors are multiplied by a function of their own.
COMPLEX = """
operator record Cx
  Real re;
  Real im;
  encapsulated operator 'constructor'
    function fromReal
      import Cx;
      input Real re;
      input Real im = 0;
      output Cx result(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '0'
    import Cx;
    output Cx c;
  algorithm
    c := Cx(0);
  end '0';
  encapsulated operator '-'
    function negate
      import Cx;
      input Cx a;
      output Cx c;
    algorithm
      c := Cx(-a.re, -a.im);
    end negate;
    function subtract
      import Cx;
      input Cx a;
      input Cx b;
      output Cx c;
    algorithm
      c := Cx(a.re - b.re, a.im - b.im);
    end subtract;
  end '-';
  encapsulated operator '*'
    function multiply
      import Cx;
      input Cx a;
      input Cx b;
      output Cx c;
    algorithm
      c.re := a.re*b.re - a.im*b.im;
      c.im := a.re*b.im + a.im*b.re;
    end multiply;
    function ofVectors "linear, not conjugate linear"
      import Cx;
      input Cx a[:];
      input Cx b[size(a, 1)];
      output Cx c;
    algorithm
      c := Cx(0);
      for i in 1:size(a, 1) loop
        c := c + a[i]*b[i];
      end for;
    end ofVectors;
  end '*';
  encapsulated operator function '+'
    import Cx;
    input Cx a;
    input Cx b;
    output Cx c;
  algorithm
    c := Cx(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator function '/'
    import Cx;
    input Cx a;
    input Cx b;
    output Cx c;
  protected
    Real d = b.re^2 + b.im^2;
  algorithm
    c := Cx((a.re*b.re + a.im*b.im)/d, (a.im*b.re - a.re*b.im)/d);
  end '/';
  encapsulated operator function '=='
    import Cx;
    input Cx a;
    input Cx b;
    output Boolean same;
  algorithm
    same := a.re == b.re and a.im == b.im;
  end '==';
  encapsulated operator function 'String'
    import Cx;
    input Cx c;
    input String unit = "j";
    input Integer significantDigits = 6;
    output String s;
  algorithm
    s := String(c.re, significantDigits = significantDigits);
    if c.im <> 0 then
      s := s + (if c.im > 0 then " + " else " - ");
      s := s + String(abs(c.im), significantDigits = significantDigits) + unit;
    end if;
  end 'String';
end Cx;
"""


def complex_values(numbers: dict[str, complex]) -> dict[str, float]:
    """The fields that variables of `Cx` have for these numbers."""
    found: dict[str, float] = {}
    for name, number in numbers.items():
        found |= {f"{name}.re": number.real, f"{name}.im": number.imag}
    return found
