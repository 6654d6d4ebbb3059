// SPDX-License-Identifier: MIT
// The numbers of a machine in space as C.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kinematics/codegen/routine_text.h"
#include "kinematics/codegen/row_order.h"
#include "kinematics/codegen/spatial_tables.h"

namespace rodeo::codegen {
namespace {

using namespace spatial;

template <typename Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ", ") + number_text(x);
  return "{" + text + "}";
}
std::string list(const Vector3& p) { return list(std::array{p.x(), p.y(), p.z()}); }
std::string list(const Quaternion& q) { return list(std::array{q.w(), q.x(), q.y(), q.z()}); }
/// Row by row.
std::string list(const Matrix3& m) {
  return list(std::array{m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)});
}
std::string list(const Vector& v) {
  return v.size() == 0 ? "{0.0}" : list(std::vector<double>(v.begin(), v.end()));
}

const char* kind_name(RowKind kind) {
  switch (kind) {
    case RowKind::along: return "ALONG";
    case RowKind::across: return "ACROSS";
    case RowKind::turn: return "TURN";
    case RowKind::screw: return "SCREW";
    case RowKind::distance:
    case RowKind::small_turn: return "DISTANCE";
  }
  return "DISTANCE";
}

bool needs_span(const RowData& row) { return row.kind != RowKind::across && row.kind != RowKind::turn; }
bool is_same_span(const RowData& a, const RowData& b) {
  return a.first == b.first && a.second == b.second && a.p1 == b.p1 && a.p2 == b.p2;
}

std::string row_text(const RowData& row, int drive, bool has_span) {
  return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", kind_name(row.kind), row.first,
                     row.second, drive, row.is_angle() ? 1 : 0, has_span ? 1 : 0, number_text(row.value),
                     list(row.p1), list(row.p2), list(row.u), list(row.w), list(row.zero),
                     list(Matrix3(row.zero.toRotationMatrix())));
}

std::string table(const char* type, const char* name, const std::vector<std::string>& items,
                  const char* none) {
  return fmt::format("static const {} {}[] = {{\n  {}\n}};\n", type, name,
                     items.empty() ? none : fmt::to_string(fmt::join(items, ",\n  ")));
}

std::string size(const char* name, std::size_t n) { return fmt::format("#define {} {}\n", name, n); }

/// The rows by where they begin: as long as a column is before that, elimination need not look at them.
std::string order_table(const SpatialNumbers& n) {
  const auto find_begin = [&](std::size_t i) {
    const RowData& row = n.data[i];
    return row.first == 0 || row.second == 0 ? std::max(row.first, row.second)
                                             : std::min(row.first, row.second);
  };
  std::vector<std::size_t> order(n.rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return find_begin(a) < find_begin(b); });
  std::vector<std::string> items;
  for (const std::size_t i : order) items.push_back(fmt::format("{}", i));
  return table("int", "row_order", items, "0");
}

std::string rows_table(const SpatialNumbers& n) {
  std::vector<std::string> items;
  const RowData* spanned = nullptr;  // the last one
  for (std::size_t i = 0; i < n.rows.size(); ++i) {
    const bool has_span = needs_span(n.data[i]) && (spanned == nullptr || !is_same_span(*spanned, n.data[i]));
    if (has_span) spanned = &n.data[i];
    items.push_back(row_text(n.data[i], n.rows[i].drive, has_span));
  }
  std::vector<std::string> at(n.machine.drives.size()), angular;
  for (std::size_t i = 0; i < n.kept; ++i) {
    if (n.rows[i].drive >= 0) at[static_cast<std::size_t>(n.rows[i].drive)] = fmt::format("{}", i);
  }
  for (const Drive& drive : n.machine.drives)
    angular.emplace_back(drive.kind == DriveKind::angle ? "1" : "0");
  return "enum { ALONG, ACROSS, TURN, SCREW, DISTANCE };\n"
         "/* A constraint: points from the centres, vectors in their bodies' axes; value: metres, radians, "
         "metres "
         "a radian. */\n"
         "typedef struct row {\n  int kind, first, second, drive, angular, has_span;\n  double value, p1[3], "
         "p2[3], "
         "u[3], w[3], zero[4], G[9];\n} row;\n" +
         table("row", "rows", items, "{0}") + table("int", "drive_rows", at, "0") +
         table("int", "drive_is_angle", angular, "0");
}

std::string coordinates_table(const SpatialNumbers& n) {
  std::vector<std::string> items, starts;
  for (const SpatialCoordinate& c : n.coordinates) {
    items.push_back(row_text(c.at, -1, needs_span(c.at)));
    starts.push_back(number_text(c.start));
  }
  return size("N_COORDINATES", items.size()) + table("row", "coordinates", items, "{0}") +
         table("double", "start_joints", starts, "0.0");
}

/// None where there are none.
std::string measures_table(const SpatialNumbers& n) {
  if (n.measures.empty()) return "";
  std::vector<std::string> items;
  for (const SpatialMeasure& m : n.measures)
    items.push_back(fmt::format("{{{}, {}, {{{}, {}, {}}}}}", row_text(m.at, -1, needs_span(m.at)),
                                m.coordinate, m.told[0] ? 1 : 0, m.told[1] ? 1 : 0, m.told[2] ? 1 : 0));
  return "/* An output of length or angle; of an angle its coordinate; which of value, rate and acceleration "
         "are "
         "told. */\n"
         "typedef struct measure {\n  row at;\n  int coordinate, told[3];\n} measure;\n" +
         size("N_MEASURES", items.size()) + table("measure", "measures", items, "{0}");
}

std::string profile_table(const SpatialNumbers& n) {
  std::vector<MultiplierRow> bodies;
  for (std::size_t i = 0; i < n.kept; ++i) bodies.push_back({n.data[i].first, n.data[i].second, false});
  std::vector<std::string> first, offsets;
  std::size_t offset = 0;
  const std::vector<std::size_t> profile = find_profile(bodies);
  for (std::size_t i = 0; i < profile.size(); ++i) {
    first.push_back(fmt::format("{}", profile[i]));
    offsets.push_back(fmt::format("{}", offset));
    offset += i + 1 - profile[i];
  }
  return size("ROOM_PROFILE", offset + 1) + table("int", "row_first", first, "0") +
         table("int", "row_offset", offsets, "0");
}

std::string elements_table(const SpatialNumbers& n) {
  std::vector<std::string> items;
  for (const SpatialElement& e : n.elements)
    items.push_back(fmt::format("{{{}, {}, {}, {}, {}}}", e.kind, row_text(e.at, -1, needs_span(e.at)),
                                number_text(e.stiffness), number_text(e.rest), number_text(e.damping)));
  return "enum { SPRING, SPIN, FREEDOM, SHORTEST, LONGEST, CONTACT };\n"
         "typedef struct element {\n  int kind;\n  row at;\n  double stiffness, rest, damping;\n} "
         "element;\n" +
         table("element", "elements", items, "{0}");
}

std::string pushes_table(const SpatialNumbers& n) {
  std::vector<std::string> items;
  for (const SpatialPush& p : n.pushes)
    items.push_back(fmt::format("{{{}, {}, {}, {}, {}, {}}}", p.body, p.against, p.axis_body,
                                p.is_torque ? 1 : 0, list(p.p), list(p.R)));
  return "typedef struct load_place {\n  int body, against, axis_body, is_torque;\n  double p[3], R[9];\n} "
         "load_place;\n" +
         table("load_place", "load_places", items, "{0}");
}

/// From the frames of motion to the bodies' own.
std::string frames_table(const SpatialNumbers& n) {
  std::vector<std::string> items, points;
  for (std::size_t b = 1; b < n.frames.size(); ++b) {
    const BodyFrame& frame = n.frames[b];
    items.push_back(fmt::format("{{{}, {}, {}}}", list(frame.point(Vector3::Zero())),
                                list(Quaternion(Matrix3(frame.R.transpose())).normalized()), list(frame.R)));
  }
  for (const Output& output : n.machine.outputs)
    points.push_back(
        fmt::format("{{{}, {}}}", output.point.body,
                    list(n.frames[output.point.body].point(n.machine.point(output.point).at.value()))));
  return "static const struct {\n  double origin[3], turn[4], axes[9];\n} frames[] = {\n  " +
         fmt::to_string(fmt::join(items, ",\n  ")) +
         "\n};\nstatic const struct {\n  int body;\n  double p[3];\n} points[] = {\n  " +
         (points.empty() ? "{0}" : fmt::to_string(fmt::join(points, ",\n  "))) + "\n};\n";
}

bool holds_turn(JointKind kind) {
  return kind != JointKind::spherical && kind != JointKind::point_on_plane &&
         kind != JointKind::point_on_line;
}

/// Which rows make the reaction of which joint.
std::string reactions_table(const SpatialNumbers& n) {
  std::vector<std::string> items, rows;
  for (std::size_t j = 0; n.has_masses && j < n.machine.joints.size(); ++j) {
    const Joint& joint = n.machine.joints[j];
    const std::size_t begin = rows.size();
    for (std::size_t i = 0; i < n.kept; ++i) {
      if (n.rows[i].joint == static_cast<int>(j)) rows.push_back(fmt::format("{}", i));
    }
    items.push_back(fmt::format(
        "{{{}, {}, {}, {}, {}}}", begin, rows.size(), joint.second.body, holds_turn(joint.kind) ? 1 : 0,
        list(n.frames[joint.second.body].point(n.machine.point(joint.second).at.value()))));
  }
  return "typedef struct reaction {\n  int begin, end, second, has_moment;\n  double p[3];\n} reaction;\n" +
         size("N_REACTIONS", items.size()) + table("reaction", "reactions", items, "{0}") +
         table("int", "reaction_rows", rows, "0");
}

}  // namespace

std::string spatial_tables_text(const SpatialNumbers& n) {
  const Vector3 gravity = n.machine.gravity ? n.machine.gravity->value() : Vector3(Vector3::Zero());
  const std::size_t bodies = n.machine.bodies.size() - 1;
  return size("N_BODIES", bodies) + size("N_MOVES", 6 * bodies) + size("N_ROWS", n.kept) +
         size("ROOM_ROWS", std::max<std::size_t>(n.kept, 1)) + size("N_CLOSURES", n.rows.size()) +
         size("N_ELEMENTS", n.elements.size()) + size("N_PUSHES", n.pushes.size()) +
         size("N_POINTS", n.machine.outputs.size()) +
         fmt::format("#define SIZE {}\n\n", number_text(n.size)) + rows_table(n) + coordinates_table(n) +
         frames_table(n) + measures_table(n) +
         (n.is_free ? profile_table(n) + "static const double start_velocity[] = " + list(n.v) + ";\n" +
                          "static const double weight[] = " + list(n.weight) + ";\n"
                    : order_table(n)) +
         (n.has_masses ? elements_table(n) + pushes_table(n) + reactions_table(n) +
                             "static const double mass[] = " + list(n.mass) +
                             ";\nstatic const double gravity[] = " + list(gravity) + ";\n"
                       : "") +
         "static const double start_states[] = " + list(n.q) + ";\n\n";
}

}  // namespace rodeo::codegen
