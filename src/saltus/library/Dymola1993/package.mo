package Dymola1993 "What models in the Dymola language of 1993 use without printing it"
  annotation(Documentation(info = "<html>
<p>Models in files that end with <code>.dym</code> find these classes by their plain names, unless their own file or one
beside it, has a class of the name. The paper that shows the language (Elmqvist, Cellier, Otter 1993) uses
<code>Common</code>, <code>VSource</code> and <code>CSource</code> without printing them, and the listings of
<code>TwoPort</code> and <code>Resistor</code> are lost. <code>Electrical.dym</code> says how they were
reconstructed.</p>
</html>"));
end Dymola1993;
