within Saltus;
package Units "Quantities with their units"

  // time and signals
  type Time = Real(final quantity = "Time", final unit = "s") "Time";
  type Frequency = Real(final quantity = "Frequency", final unit = "Hz") "Cycles per second";
  type AngularFrequency = Real(final quantity = "AngularFrequency", final unit = "rad/s")
    "Angle per second of an oscillation";

  // geometry and motion
  type Angle = Real(final quantity = "Angle", final unit = "rad", displayUnit = "deg") "Angle";
  type AngularVelocity = Real(final quantity = "AngularVelocity", final unit = "rad/s") "Angular velocity";
  type AngularAcceleration = Real(final quantity = "AngularAcceleration", final unit = "rad/s2")
    "Angular acceleration";
  type Length = Real(final quantity = "Length", final unit = "m") "Length";
  type Position = Real(final quantity = "Length", final unit = "m") "Position";
  type Area = Real(final quantity = "Area", final unit = "m2") "Area";
  type Volume = Real(final quantity = "Volume", final unit = "m3") "Volume";
  type Velocity = Real(final quantity = "Velocity", final unit = "m/s") "Velocity";
  type Acceleration = Real(final quantity = "Acceleration", final unit = "m/s2") "Acceleration";

  // mechanics
  type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0) "Mass";
  type Density = Real(final quantity = "Density", final unit = "kg/m3", min = 0) "Density";
  type Force = Real(final quantity = "Force", final unit = "N") "Force";
  type Torque = Real(final quantity = "Torque", final unit = "N.m") "Torque";
  type Impulse = Real(final quantity = "Impulse", final unit = "N.s") "Impulse";
  type Momentum = Real(final quantity = "Momentum", final unit = "kg.m/s") "Momentum";
  type AngularMomentum = Real(final quantity = "AngularMomentum", final unit = "kg.m2/s") "Angular momentum";
  type Inertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2", min = 0) "Inertia";
  type TranslationalSpringConstant = Real(final quantity = "TranslationalSpringConstant", final unit = "N/m")
    "Translational spring constant";
  type TranslationalDampingConstant = Real(final quantity = "TranslationalDampingConstant", final unit = "N.s/m")
    "Translational damping constant";
  type RotationalSpringConstant = Real(final quantity = "RotationalSpringConstant", final unit = "N.m/rad")
    "Rotational spring constant";
  type RotationalDampingConstant = Real(final quantity = "RotationalDampingConstant", final unit = "N.m.s/rad")
    "Rotational damping constant";
  type Energy = Real(final quantity = "Energy", final unit = "J") "Energy";
  type Power = Real(final quantity = "Power", final unit = "W") "Power";

  // electricity
  type Voltage = Real(final quantity = "ElectricPotential", final unit = "V") "Voltage";
  type Current = Real(final quantity = "ElectricCurrent", final unit = "A") "Current";
  type Charge = Real(final quantity = "ElectricCharge", final unit = "C") "Charge";
  type MagneticFlux = Real(final quantity = "MagneticFlux", final unit = "Wb") "Magnetic flux";
  type Resistance = Real(final quantity = "Resistance", final unit = "Ohm") "Resistance";
  type Conductance = Real(final quantity = "Conductance", final unit = "S") "Conductance";
  type Capacitance = Real(final quantity = "Capacitance", final unit = "F", min = 0) "Capacitance";
  type Inductance = Real(final quantity = "Inductance", final unit = "H") "Inductance";
  type ElectricalTorqueConstant = Real(final quantity = "ElectricalTorqueConstant", final unit = "N.m/A")
    "Electrical torque constant";
  type Transconductance = Real(final quantity = "Conductance", final unit = "S") "Transconductance";
  type Transresistance = Real(final quantity = "Resistance", final unit = "Ohm") "Transresistance";

  // heat
  type Temperature = Real(final quantity = "ThermodynamicTemperature", final unit = "K", min = 0, start = 293.15,
    nominal = 300, displayUnit = "degC") "Temperature";
  type TemperatureDifference = Real(final quantity = "ThermodynamicTemperature", final unit = "K")
    "Temperature difference";
  type HeatFlowRate = Real(final quantity = "Power", final unit = "W") "Heat flow rate";
  type HeatCapacity = Real(final quantity = "HeatCapacity", final unit = "J/K", min = 0) "Heat capacity";
  type SpecificHeatCapacity = Real(final quantity = "SpecificHeatCapacity", final unit = "J/(kg.K)", min = 0)
    "Specific heat capacity";
  type ThermalConductance = Real(final quantity = "ThermalConductance", final unit = "W/K") "Thermal conductance";
  type ThermalResistance = Real(final quantity = "ThermalResistance", final unit = "K/W") "Thermal resistance";
  type HeatTransferCoefficient = Real(final quantity = "HeatTransferCoefficient", final unit = "W/(m2.K)")
    "Heat transfer coefficient";
  type Emissivity = Real(final quantity = "Emissivity", final unit = "1", min = 0, max = 1) "Emissivity";

  // liquids
  type Pressure = Real(final quantity = "Pressure", final unit = "Pa", nominal = 1e5, displayUnit = "bar") "Pressure";
  type VolumeFlowRate = Real(final quantity = "VolumeFlowRate", final unit = "m3/s", nominal = 1e-3)
    "Volume flow rate";
  type MassFlowRate = Real(final quantity = "MassFlowRate", final unit = "kg/s") "Mass flow rate";
  type HydraulicResistance = Real(final quantity = "HydraulicResistance", final unit = "Pa.s/m3")
    "Hydraulic resistance";
  type HydraulicInertance = Real(final quantity = "HydraulicInertance", final unit = "Pa.s2/m3")
    "Hydraulic inertance";

  // numbers
  type Ratio = Real(final quantity = "Ratio", final unit = "1") "Ratio";
  type Efficiency = Real(final quantity = "Efficiency", final unit = "1", min = 0, max = 1) "Efficiency";
  type FrictionCoefficient = Real(final quantity = "CoefficientOfFriction", final unit = "1", min = 0)
    "Friction coefficient";
  type RestitutionCoefficient = Real(final quantity = "CoefficientOfRestitution", final unit = "1", min = 0, max = 1)
    "Restitution coefficient";

  constant Acceleration g = 9.81 "Gravity at the ground";
  constant Real pi(final unit = "1") = 3.141592653589793 "Half the circumference of the unit circle";
  constant Real sigma(final unit = "W/(m2.K4)") = 5.670374419e-8 "Stefan-Boltzmann constant";
  constant Temperature T_zero = 273.15 "Zero degrees Celsius";

  annotation(Documentation(info = "<html>
<p>Every variable of the library has one of these types, so that units can be checked
(<code>saltus check --units</code>).</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Text(extent = {{-80, 60}, {80, -60}}, textString = "m/s")}));
end Units;
