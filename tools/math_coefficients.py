#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the constants of engine/kernel/rodeo_math.h. Needs mpmath (Debian: python3-mpmath).

A function is fitted as f(z) ~ c0 + c1 z + ... on [0, z_end] where the caller multiplies the error by z. Interpolation
at n points z_i leaves the error z (z - z_1) ... (z - z_n) times a slowly varying factor: smallest where that product
is a Chebyshev polynomial of degree n + 1 shifted so that its first root is 0. The other roots are the points.
"""
from mpmath import atan, cos, floor, log, lu_solve, matrix, mp, mpf, nstr, pi, polyval, sin, sqrt

mp.prec = 400


def fit(f, z_end, n):
    x = [cos(pi * (2 * k + 1) / (2 * (n + 1))) for k in range(n + 1)]
    z = [z_end * (x[k] - x[n]) / (1 - x[n]) for k in range(n)]
    c = lu_solve(matrix([[zi**j for j in range(n)] for zi in z]), matrix([f(zi) for zi in z]))
    return [float(ci) for ci in c]


def print_fit(name, f, z_end, n):
    c = fit(f, z_end, n)
    samples = [z_end * k / mpf(1000) for k in range(1, 1001)]
    worst = max(abs(z * (polyval(c[::-1], z) - f(z))) for z in samples)
    print(f"{name}: largest z * error 2^{nstr(log(worst, 2), 4)}")
    print("\n".join(f"  {ci.hex()}" for ci in c))


def print_parts(name, value, last_bits):
    """Parts that add up to value, cut at the bits 2^-b of last_bits; what is left, rounded, comes last."""
    parts = []
    for b in last_bits:
        parts.append(floor(value * mpf(2) ** b) / mpf(2) ** b)
        value -= parts[-1]
    print(f"{name}: " + ", ".join(float(p).hex() for p in [*parts, value]))


quarter = (pi / 4) ** 2 * (1 + mpf(2) ** -30)
print_fit("(1 - sin(r) / r) / z, z = r^2", lambda z: (1 - sin(sqrt(z)) / sqrt(z)) / z, quarter, 6)
print_fit("(cos(r) - 1 + z / 2) / z^2, z = r^2", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, quarter, 6)
print_fit("(1 - atan(t) / t) / z, z = t^2", lambda z: (1 - atan(sqrt(z)) / sqrt(z)) / z, mpf(1) / 9, 9)
print(f"2/pi: {float(2 / pi).hex()}\n1/(2 pi): {float(1 / (2 * pi)).hex()}")
print_parts("pi/2", pi / 2, [33, 53, 87])
print_parts("2 pi", 2 * pi, [33])
half = atan(mpf(1) / 2)
bases = {"pi": pi, "pi/2": pi / 2, "atan(1/2)": half, "pi - atan(1/2)": pi - half}
bases |= {"pi/2 - atan(1/2)": pi / 2 - half, "pi/2 + atan(1/2)": pi / 2 + half}
for name, value in bases.items():
    high = float(value)
    print(f"{name}: {high.hex()}, {float(value - high).hex()}")
