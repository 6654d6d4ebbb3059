// SPDX-License-Identifier: MIT
// Forces as the kernel computes them: the run-time twin of kinematics/spatial/forces.cpp. And the outputs. THEORY S8, S14.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_forces_text() {
  return R"(typedef struct power {
  double given, lost, potential; /* W, W, J */
} power;

/* A force in ground axes at the point p from the centre. */
static void push(double* f, int body_index, const body* bodies, const double* p, const double* force, double sign) {
  double own[3], moment[3];
  if (body_index == 0) return;
  turned_back(bodies[body_index].R, force, own);
  cross3(p, own, moment);
  for (int i = 0; i < 3; ++i) {
    f[6 * (body_index - 1) + i] += sign * force[i];
    f[6 * (body_index - 1) + 3 + i] += sign * moment[i];
  }
}

static void twist(double* f, int body_index, const body* bodies, const double* torque, double sign) {
  double own[3];
  if (body_index == 0) return;
  turned_back(bodies[body_index].R, torque, own);
  for (int i = 0; i < 3; ++i) f[6 * (body_index - 1) + 3 + i] += sign * own[i];
}

typedef struct strut {
  double length, rate, tension; /* m, m/s, N */
} strut;

/* Tension k (l - l0) + d l' pulls the ends together; at length 0 it has no direction and pulls nothing. */
static strut find_strut(const element* e, const body* bodies, span* s) {
  strut t = {0.0, 0.0, 0.0};
  find_span(&e->at, bodies, BIAS, s);
  t.length = sqrt(dot3(s->gap, s->gap));
  if (!(t.length > 0.0)) return t;
  for (int i = 0; i < 3; ++i) t.rate += s->gap[i] / t.length * s->speed[i];
  t.tension = e->stiffness * (t.length - e->rest) + e->damping * t.rate;
  return t;
}

static void apply_spring(const element* e, const body* bodies, double* f, power* p) {
  span s;
  double pull[3];
  const strut t = find_strut(e, bodies, &s);
  if (!(t.length > 0.0)) return;
  const double stretch = t.length - e->rest;
  for (int i = 0; i < 3; ++i) pull[i] = t.tension * (s.gap[i] / t.length);
  push(f, e->at.first, bodies, e->at.p1, pull, 1.0);
  push(f, e->at.second, bodies, e->at.p2, pull, -1.0);
  p->lost += e->damping * t.rate * t.rate;
  p->potential += 0.5 * e->stiffness * stretch * stretch;
}

/* What a stop pushes `depth` inside of it, going on at `rate`: spring and damper, never pulling. THEORY X7. */
static double press(const element* e, double depth, double rate, power* p) {
  if (!(depth > 0.0)) return 0.0;
  const double spring = e->stiffness * depth, both = spring + e->damping * rate, pushed = both > 0.0 ? both : 0.0;
  p->potential += 0.5 * spring * depth;
  p->lost += (pushed - spring) * rate;
  return pushed;
}

/* At one end of a distance. */
static strut find_stop(const element* e, const body* bodies, span* s, power* p) {
  const double sign = e->kind == SHORTEST ? 1.0 : -1.0;
  strut t = find_strut(e, bodies, s);
  t.tension = t.length > 0.0 ? 0.0 - sign * press(e, sign * (e->rest - t.length), -sign * t.rate, p) : 0.0;
  return t;
}

static void apply_stop(const element* e, const body* bodies, double* f, power* p) {
  span s;
  double pull[3];
  const strut t = find_stop(e, bodies, &s, p);
  if (!(t.length > 0.0)) return;
  for (int i = 0; i < 3; ++i) pull[i] = t.tension * (s.gap[i] / t.length);
  push(f, e->at.first, bodies, e->at.p1, pull, 1.0);
  push(f, e->at.second, bodies, e->at.p2, pull, -1.0);
}

/* With the ground u^T p = rest: its height over it, and what the ground bears. */
static strut find_contact(const element* e, const body* bodies, mark* m, power* p) {
  const body* b = bodies + e->at.second;
  double place[3];
  strut t;
  find_mark(b, e->at.p2, m);
  for (int i = 0; i < 3; ++i) place[i] = b->c[i] + m->r[i];
  const double depth = e->rest - dot3(e->at.u, place);
  t.length = -depth;
  t.rate = dot3(e->at.u, m->v);
  t.tension = press(e, depth, -t.rate, p);
  return t;
}

/* at.value: what drags along the ground while it pushes. */
static void apply_contact(const element* e, const body* bodies, double* f, power* p) {
  const double *n = e->at.u, viscous = e->at.value;
  mark m;
  double effort[3], along[3];
  const strut t = find_contact(e, bodies, &m, p);
  if (!(t.tension > 0.0)) return;
  for (int i = 0; i < 3; ++i) {
    along[i] = m.v[i] - t.rate * n[i];
    effort[i] = t.tension * n[i] - viscous * along[i];
  }
  push(f, e->at.second, bodies, e->at.p2, effort, 1.0);
  p->lost += viscous * dot3(along, along);
}

/* Of the whole relative spin. */
static void apply_spin_damper(const element* e, const body* bodies, double* f, power* p) {
  double spin[3];
  for (int i = 0; i < 3; ++i) spin[i] = e->damping * (bodies[e->at.second].s[i] - bodies[e->at.first].s[i]);
  twist(f, e->at.first, bodies, spin, 1.0);
  twist(f, e->at.second, bodies, spin, -1.0);
  if (e->damping > 0.0) p->lost += dot3(spin, spin) / e->damping;
}

static void apply_element(const element* e, const body* bodies, double* f, power* p) {
  line l;
  span s;
  calc_row(&e->at, bodies, e->rest, TERMS, &s, &l);
  const double rate = calc_rate(&e->at, &l, bodies), effort = e->stiffness * l.error + e->damping * rate;
  for (int side = 0; side < 2; ++side) {
    const int b = side == 0 ? e->at.first : e->at.second;
    for (int i = 0; b > 0 && i < 6; ++i) f[6 * (b - 1) + i] -= effort * l.d[side][i];
  }
  p->lost += e->damping * rate * rate;
  p->potential += 0.5 * e->stiffness * l.error * l.error;
}

static void apply_push(const load_place* at, const double* value, const body* bodies, double* f, power* p) {
  mark m;
  double inner[3], torque[3];
  if (!at->is_torque) {
    push(f, at->body, bodies, at->p, value, 1.0);
    find_mark(bodies + at->body, at->p, &m);
    p->given += dot3(value, m.v);
    return;
  }
  turned(at->R, value, inner);
  turned(bodies[at->axis_body].R, inner, torque);
  twist(f, at->body, bodies, torque, 1.0);
  twist(f, at->against, bodies, torque, -1.0);
  p->given += dot3(torque, bodies[at->body].s) - dot3(torque, bodies[at->against].s);
}

/* Weight, and the gyroscopic moment -w x (I w). */
static void apply_weight(int b, const double* w, double* f) {
  double turning[3];
  for (int i = 0; i < 3; ++i) turning[i] = mass[6 * b + 3 + i] * w[i];
  cross3(turning, w, f + 6 * b + 3);
  for (int i = 0; i < 3; ++i) f[6 * b + i] = mass[6 * b] * gravity[i];
}

/* Force in ground axes and moment in the body's, six a body. */
static int apply_forces(const body* bodies, const double* inputs, double* f, power* p) {
  double values[3 * N_PUSHES + 1];
  const int status = find_pushes(inputs, values);
  if (status != RODEO_OK) return status;
  memset(p, 0, sizeof *p);
  for (int b = 0; b < N_BODIES; ++b) {
    apply_weight(b, bodies[b + 1].w, f);
    p->potential -= mass[6 * b] * dot3(gravity, bodies[b + 1].c);
  }
  for (int i = 0; i < N_ELEMENTS; ++i) {
    if (elements[i].kind == SPRING) apply_spring(elements + i, bodies, f, p);
    if (elements[i].kind == SPIN) apply_spin_damper(elements + i, bodies, f, p);
    if (elements[i].kind == FREEDOM) apply_element(elements + i, bodies, f, p);
    if (elements[i].kind == SHORTEST || elements[i].kind == LONGEST) apply_stop(elements + i, bodies, f, p);
    if (elements[i].kind == CONTACT) apply_contact(elements + i, bodies, f, p);
  }
  for (int i = 0; i < N_PUSHES; ++i) apply_push(load_places + i, values + 3 * i, bodies, f, p);
  return RODEO_OK;
}

/* What the first body of a joint does to the second: the force, and its moment about the second point where the joint holds a turn;
 * in ground axes, from the multipliers l of its rows. M a + J^T l = f. */
static double* show_joint(const reaction* at, const line* lines, const double* l, const body* bodies, double* loads) {
  double force[3] = {0.0, 0.0, 0.0}, own[3] = {0.0, 0.0, 0.0}, moment[3], arm[3], part[3];
  for (int i = at->begin; i < at->end; ++i) {
    const int r = reaction_rows[i];
    for (int j = 0; j < 3; ++j) force[j] -= l[r] * lines[r].d[1][j], own[j] -= l[r] * lines[r].d[1][3 + j];
  }
  memcpy(loads, force, sizeof force);
  if (!at->has_moment) return loads + 3;
  turned(bodies[at->second].R, own, moment);
  turned(bodies[at->second].R, at->p, arm);
  cross3(arm, force, part);
  for (int j = 0; j < 3; ++j) loads[3 + j] = moment[j] - part[j];
  return loads + 6;
}

/* Length, rate and force of a spring, stop or contact. The second end of a stop (at.value) adds to the first. */
static double* show_strut(const element* e, const body* bodies, double* loads) {
  power unused = {0};
  span s;
  mark m;
  strut t;
  if (e->kind == SPIN || e->kind == FREEDOM) return loads;
  if (e->kind == SPRING) t = find_strut(e, bodies, &s);
  else if (e->kind == CONTACT) t = find_contact(e, bodies, &m, &unused);
  else t = find_stop(e, bodies, &s, &unused);
  if (e->kind == LONGEST && e->at.value > 0.0) {
    loads[-1] += t.tension;
    return loads;
  }
  loads[0] = t.length;
  loads[1] = t.rate;
  loads[2] = t.tension;
  return loads + 3;
}

static void show_loads(const line* lines, const double* l, const body* bodies, const double* v, const power* p, double* loads) {
  double kinetic = 0.0, brought = 0.0;
  for (int i = 0; i < N_REACTIONS; ++i) loads = show_joint(reactions + i, lines, l, bodies, loads);
  for (int d = 0; d < N_DRIVES; ++d) {
    *loads++ = -l[drive_rows[d]];
    brought -= l[drive_rows[d]] * calc_rate(rows + drive_rows[d], lines + drive_rows[d], bodies);
  }
  for (int i = 0; i < N_ELEMENTS; ++i) loads = show_strut(elements + i, bodies, loads);
  for (int i = 0; i < N_MOVES; ++i) kinetic += 0.5 * mass[i] * v[i] * v[i];
  loads[0] = kinetic;
  loads[1] = p->potential;
  loads[2] = brought;
  loads[3] = p->given;
  loads[4] = p->lost;
}

)";
}

std::string spatial_outputs_text(bool has_measures) {
  static constexpr const char* kMeasures =
      R"(/* Lengths and angles: a row's error of value nil, its rate J v, its acceleration J a + bias. */
static double* show_measures(const body* bodies, const double* a, const double* joints, double* outputs) {
  for (int i = 0; i < N_MEASURES; ++i) {
    const measure* m = measures + i;
    const int side[2] = {m->at.first, m->at.second};
    span s;
    line l;
    memset(&s, 0, sizeof s);
    memset(&l, 0, sizeof l);
    calc_row(&m->at, bodies, 0.0, TERMS | BIAS, &s, &l);
    double acceleration = l.bias;
    for (int j = 0; j < 2; ++j) {
      const double* b = a + 6 * (side[j] - 1);
      if (side[j] > 0) acceleration += dot3(l.d[j], b) + dot3(l.d[j] + 3, b + 3);
    }
    if (m->told[0]) *outputs++ = m->coordinate < 0 ? l.error : joints[m->coordinate];
    if (m->told[1]) *outputs++ = calc_rate(&m->at, &l, bodies);
    if (m->told[2]) *outputs++ = acceleration;
  }
  return outputs;
}

)";
  return std::string(has_measures ? kMeasures : "") +
         R"(/* Of a point p of a body whose acceleration is a: place, velocity, acceleration. */
static void show_point(const body* b, const double* a, const double* p, double* result) {
  static const double none[6] = {0.0};
  mark m;
  double spin_rate[3], swing[3];
  find_mark(b, p, &m);
  if (a == NULL) a = none;
  turned(b->R, a + 3, spin_rate);
  cross3(spin_rate, m.r, swing);
  for (int i = 0; i < 3; ++i) {
    result[i] = b->c[i] + m.r[i];
    result[3 + i] = m.v[i];
    result[6 + i] = a[i] + swing[i] + m.a[i];
  }
}

/* A body: place and orientation of its own frame, spin in its axes, velocity, spin rate, acceleration. A point: place, velocity,
 * acceleration. Then the joints. */
static void show_all(const body* bodies, const double* a, const double* joints, double* outputs) {
  double point[9];
  for (int b = 0; b < N_BODIES; ++b, outputs += 19) {
    show_point(bodies + b + 1, a + 6 * b, frames[b].origin, point);
    memcpy(outputs, point, 3 * sizeof(double));
    times(bodies[b + 1].q, frames[b].turn, outputs + 3);
    turned(frames[b].axes, bodies[b + 1].w, outputs + 7);
    memcpy(outputs + 10, point + 3, 3 * sizeof(double));
    turned(frames[b].axes, a + 6 * b + 3, outputs + 13);
    memcpy(outputs + 16, point + 6, 3 * sizeof(double));
  }
  for (int i = 0; i < N_POINTS; ++i, outputs += 9) {
    const int b = points[i].body;
    show_point(bodies + b, b == 0 ? NULL : a + 6 * (b - 1), points[i].p, outputs);
  }
)" + (has_measures ? "  outputs = show_measures(bodies, a, joints, outputs);\n" : "") +
         R"(  memcpy(outputs, joints, N_COORDINATES * sizeof(double));
}

)";
}

}  // namespace rodeo::codegen
