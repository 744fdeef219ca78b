"""What SUNDIALS calls, as LLVM text, so that no Python runs inside a step.

callbacks           the right-hand side for CVODE
implicit_callbacks  the residuals for IDA
sparse_lu           sparse systems with a known pattern: LU factorisation
jacobian            the Jacobian of the state derivatives
"""
