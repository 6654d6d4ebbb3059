// SPDX-License-Identifier: MIT
// Reads a recording as Foxglove does, with @mcap/core and protobufjs, which share no code with rodeo, and prints what it found, one line
// an item; doubles as their 64 bits in hex. node read_mcap.js RECORDING
"use strict";
const fs = require("fs");
const { McapStreamReader, McapIndexedReader } = require("@mcap/core");
const protobuf = require("protobufjs");
const descriptor = require("protobufjs/ext/descriptor");

const bytes = fs.readFileSync(process.argv[2]);
const lines = [];
const bits = (value) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
};
const long = (value) => BigInt(value.toString()).toString();
const enumeration = (type, field, value) => type.fields[field].resolvedType.valuesById[value];

function decoder(schema, type) {
  const set = descriptor.FileDescriptorSet.decode(schema.data);
  const root = protobuf.Root.fromDescriptor(set);
  root.resolveAll();
  return root.lookupType(type);
}

function printInput(type, data) {
  const m = type.decode(data);
  const commandType = type.fields.commands.resolvedType;
  const commands = Object.keys(commandType.fields).map((name) => {
    const c = m.commands[name];
    const kind = enumeration(commandType.fields[name].resolvedType, "kind", c.kind);
    return `${name}=${kind}:${bits(c.position)}:${bits(c.rate)}:${bits(c.acceleration)}`;
  });
  const verb = enumeration(type, "verb", m.verb);
  const checksum = BigInt(m.checksum.toString()).toString(16).padStart(16, "0");
  lines.push(
    `input ${long(m.tick)} ${m.skipped} ${verb} ${m.slot} ${m.events} ${long(m.lost)} ${checksum} ${commands.join(" ")}`,
  );
}

function printState(type, data) {
  const m = type.decode(data);
  const names = (field) => Object.keys(type.fields[field].resolvedType.fields);
  const drives = names("drives").map((name) => {
    const d = m.drives[name];
    return `${name}=${bits(d.position)}:${bits(d.rate)}:${bits(d.acceleration)}`;
  });
  const outputs = names("outputs").map((name) => `${name}=${bits(m.outputs[name])}`);
  lines.push(
    `state ${long(m.tick)} ${bits(m.time)} ${m.status} ${bits(m.residual)} ${bits(m.margin)} ` +
      `${drives.join(" ")} ${outputs.join(" ")}`,
  );
}

// every record in the order of the file, all checksums compared
function printStream() {
  const reader = new McapStreamReader({ validateCrcs: true });
  reader.append(bytes);
  const schemas = new Map();
  const channels = new Map();
  for (let record; (record = reader.nextRecord()) != undefined; ) {
    if (record.type === "Schema") schemas.set(record.id, record);
    if (record.type === "Channel") {
      const schema = schemas.get(record.schemaId);
      channels.set(record.id, { topic: record.topic, type: decoder(schema, schema.name) });
    }
    if (record.type === "Message") {
      const { topic, type } = channels.get(record.channelId);
      (topic === "/input" ? printInput : printState)(type, record.data);
    }
    if (record.type === "Attachment") lines.push(`attachment ${record.name} ${record.data.byteLength}`);
  }
  lines.push(`done ${reader.done()}`);
}

// by the summary, as a viewer that jumps about
async function printIndexed() {
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
  };
  const reader = await McapIndexedReader.Initialize({ readable });
  const counts = {};
  let last = -1n;
  for await (const message of reader.readMessages({ validateCrcs: true })) {
    const topic = reader.channelsById.get(message.channelId).topic;
    counts[topic] = (counts[topic] ?? 0) + 1;
    if (message.logTime < last) throw new Error("messages out of order");
    last = message.logTime;
  }
  const s = reader.statistics;
  lines.push(`indexed input ${counts["/input"] ?? 0} state ${counts["/state"] ?? 0} last ${last}`);
  lines.push(
    `statistics messages ${s.messageCount} channels ${s.channelCount} schemas ${s.schemaCount} ` +
      `attachments ${s.attachmentCount} metadata ${s.metadataCount} chunks ${s.chunkCount} ` +
      `from ${s.messageStartTime} to ${s.messageEndTime}`,
  );
  lines.push(`chunks ${reader.chunkIndexes.length}`);
  for await (const a of reader.readAttachments({ validateCrcs: true })) lines.push(`indexed attachment ${a.name}`);
  for await (const m of reader.readMetadata()) {
    for (const [key, value] of m.metadata) lines.push(`metadata ${m.name} ${key}=${value}`);
  }
}

printStream();
printIndexed().then(
  () => process.stdout.write(lines.join("\n") + "\n"),
  (error) => {
    process.stdout.write(lines.join("\n") + "\n");
    console.error(error.stack);
    process.exit(1);
  },
);
