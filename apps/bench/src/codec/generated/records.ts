// Made by scripts/proto.mjs from proto/records.proto. Do not edit.
/* eslint-disable */
// @ts-nocheck
import $protobuf from "protobufjs/minimal.js";

const $Reader = $protobuf.Reader,
  $Writer = $protobuf.Writer,
  $util = $protobuf.util;
const $Object = $util.global.Object,
  $undefined = $util.global.undefined,
  $Error = $util.global.Error,
  $RangeError = $util.global.RangeError;

const $root = $protobuf.roots["rehome_bench"] || ($protobuf.roots["rehome_bench"] = {});

export const rehome = ($root.rehome = (() => {
  const rehome = {};

  rehome.bench = (function () {
    const bench = {};

    bench.Role = (function () {
      const valuesById = $Object.create(null),
        values = $Object.create(valuesById);
      values[(valuesById[0] = "NO_ROLE")] = 0;
      values[(valuesById[1] = "SOURCE")] = 1;
      values[(valuesById[2] = "TARGET")] = 2;
      values[(valuesById[3] = "COORDINATOR")] = 3;
      return values;
    })();

    bench.Id128 = (function () {
      const Id128 = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Id128.prototype.high = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Id128.prototype.low = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      Id128.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (
          message.high != null &&
          $Object.hasOwnProperty.call(message, "high") &&
          (typeof message.high === "object" ? message.high.low || message.high.high : message.high !== 0)
        )
          writer.uint32(9).fixed64(message.high);
        if (
          message.low != null &&
          $Object.hasOwnProperty.call(message, "low") &&
          (typeof message.low === "object" ? message.low.low || message.low.high : message.low !== 0)
        )
          writer.uint32(17).fixed64(message.low);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Id128.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Id128();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.high = value;
              else delete message.high;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.low = value;
              else delete message.low;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Id128;
    })();

    bench.Coordinator = (function () {
      const Coordinator = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Coordinator.prototype.ownerId = "";
      Coordinator.prototype.leaseGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Coordinator.prototype.nodeRid = "";
      Coordinator.prototype.nodeGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Coordinator.prototype.expectedAuthorityStoreVersion = "";

      Coordinator.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.ownerId != null && $Object.hasOwnProperty.call(message, "ownerId") && message.ownerId !== "")
          writer.uint32(10).string(message.ownerId);
        if (
          message.leaseGeneration != null &&
          $Object.hasOwnProperty.call(message, "leaseGeneration") &&
          (typeof message.leaseGeneration === "object"
            ? message.leaseGeneration.low || message.leaseGeneration.high
            : message.leaseGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.leaseGeneration);
        if (message.nodeRid != null && $Object.hasOwnProperty.call(message, "nodeRid") && message.nodeRid !== "")
          writer.uint32(26).string(message.nodeRid);
        if (
          message.nodeGeneration != null &&
          $Object.hasOwnProperty.call(message, "nodeGeneration") &&
          (typeof message.nodeGeneration === "object"
            ? message.nodeGeneration.low || message.nodeGeneration.high
            : message.nodeGeneration !== 0)
        )
          writer.uint32(33).fixed64(message.nodeGeneration);
        if (
          message.expectedAuthorityStoreVersion != null &&
          $Object.hasOwnProperty.call(message, "expectedAuthorityStoreVersion") &&
          message.expectedAuthorityStoreVersion !== ""
        )
          writer.uint32(42).string(message.expectedAuthorityStoreVersion);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Coordinator.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Coordinator();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.ownerId = value;
              else delete message.ownerId;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.leaseGeneration = value;
              else delete message.leaseGeneration;
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.nodeRid = value;
              else delete message.nodeRid;
              continue;
            }
            case 4: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.nodeGeneration = value;
              else delete message.nodeGeneration;
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.expectedAuthorityStoreVersion = value;
              else delete message.expectedAuthorityStoreVersion;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Coordinator;
    })();

    bench.ActorRef = (function () {
      const ActorRef = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      ActorRef.prototype.actorId = "";
      ActorRef.prototype.objectGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      ActorRef.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.actorId != null && $Object.hasOwnProperty.call(message, "actorId") && message.actorId !== "")
          writer.uint32(10).string(message.actorId);
        if (
          message.objectGeneration != null &&
          $Object.hasOwnProperty.call(message, "objectGeneration") &&
          (typeof message.objectGeneration === "object"
            ? message.objectGeneration.low || message.objectGeneration.high
            : message.objectGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.objectGeneration);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      ActorRef.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.ActorRef();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.actorId = value;
              else delete message.actorId;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.objectGeneration = value;
              else delete message.objectGeneration;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return ActorRef;
    })();

    bench.ActorFence = (function () {
      const ActorFence = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      ActorFence.prototype.actor = null;
      ActorFence.prototype.nodeRid = "";
      ActorFence.prototype.nodeGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      ActorFence.prototype.authorityOwnerGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      ActorFence.prototype.ownerLeaseGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      ActorFence.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.actor != null && $Object.hasOwnProperty.call(message, "actor"))
          $root.rehome.bench.ActorRef.encode(message.actor, writer.uint32(10).fork(), _depth + 1).ldelim();
        if (message.nodeRid != null && $Object.hasOwnProperty.call(message, "nodeRid") && message.nodeRid !== "")
          writer.uint32(18).string(message.nodeRid);
        if (
          message.nodeGeneration != null &&
          $Object.hasOwnProperty.call(message, "nodeGeneration") &&
          (typeof message.nodeGeneration === "object"
            ? message.nodeGeneration.low || message.nodeGeneration.high
            : message.nodeGeneration !== 0)
        )
          writer.uint32(25).fixed64(message.nodeGeneration);
        if (
          message.authorityOwnerGeneration != null &&
          $Object.hasOwnProperty.call(message, "authorityOwnerGeneration") &&
          (typeof message.authorityOwnerGeneration === "object"
            ? message.authorityOwnerGeneration.low || message.authorityOwnerGeneration.high
            : message.authorityOwnerGeneration !== 0)
        )
          writer.uint32(33).fixed64(message.authorityOwnerGeneration);
        if (
          message.ownerLeaseGeneration != null &&
          $Object.hasOwnProperty.call(message, "ownerLeaseGeneration") &&
          (typeof message.ownerLeaseGeneration === "object"
            ? message.ownerLeaseGeneration.low || message.ownerLeaseGeneration.high
            : message.ownerLeaseGeneration !== 0)
        )
          writer.uint32(41).fixed64(message.ownerLeaseGeneration);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      ActorFence.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.ActorFence();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              message.actor = $root.rehome.bench.ActorRef.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.actor,
              );
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.nodeRid = value;
              else delete message.nodeRid;
              continue;
            }
            case 3: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.nodeGeneration = value;
              else delete message.nodeGeneration;
              continue;
            }
            case 4: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.authorityOwnerGeneration = value;
              else delete message.authorityOwnerGeneration;
              continue;
            }
            case 5: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.ownerLeaseGeneration = value;
              else delete message.ownerLeaseGeneration;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return ActorFence;
    })();

    bench.Session = (function () {
      const Session = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Session.prototype.ownerNodeRid = "";
      Session.prototype.ownerNodeGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Session.prototype.ownerId = "";
      Session.prototype.ownerLeaseGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Session.prototype.sessionRid = "";
      Session.prototype.bindingGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      Session.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (
          message.ownerNodeRid != null &&
          $Object.hasOwnProperty.call(message, "ownerNodeRid") &&
          message.ownerNodeRid !== ""
        )
          writer.uint32(10).string(message.ownerNodeRid);
        if (
          message.ownerNodeGeneration != null &&
          $Object.hasOwnProperty.call(message, "ownerNodeGeneration") &&
          (typeof message.ownerNodeGeneration === "object"
            ? message.ownerNodeGeneration.low || message.ownerNodeGeneration.high
            : message.ownerNodeGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.ownerNodeGeneration);
        if (message.ownerId != null && $Object.hasOwnProperty.call(message, "ownerId") && message.ownerId !== "")
          writer.uint32(26).string(message.ownerId);
        if (
          message.ownerLeaseGeneration != null &&
          $Object.hasOwnProperty.call(message, "ownerLeaseGeneration") &&
          (typeof message.ownerLeaseGeneration === "object"
            ? message.ownerLeaseGeneration.low || message.ownerLeaseGeneration.high
            : message.ownerLeaseGeneration !== 0)
        )
          writer.uint32(33).fixed64(message.ownerLeaseGeneration);
        if (
          message.sessionRid != null &&
          $Object.hasOwnProperty.call(message, "sessionRid") &&
          message.sessionRid !== ""
        )
          writer.uint32(42).string(message.sessionRid);
        if (
          message.bindingGeneration != null &&
          $Object.hasOwnProperty.call(message, "bindingGeneration") &&
          (typeof message.bindingGeneration === "object"
            ? message.bindingGeneration.low || message.bindingGeneration.high
            : message.bindingGeneration !== 0)
        )
          writer.uint32(49).fixed64(message.bindingGeneration);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Session.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Session();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.ownerNodeRid = value;
              else delete message.ownerNodeRid;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.ownerNodeGeneration = value;
              else delete message.ownerNodeGeneration;
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.ownerId = value;
              else delete message.ownerId;
              continue;
            }
            case 4: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.ownerLeaseGeneration = value;
              else delete message.ownerLeaseGeneration;
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.sessionRid = value;
              else delete message.sessionRid;
              continue;
            }
            case 6: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.bindingGeneration = value;
              else delete message.bindingGeneration;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Session;
    })();

    bench.Seal = (function () {
      const Seal = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Seal.prototype.relocation = null;
      Seal.prototype.coordinator = null;
      Seal.prototype.senderRole = 0;
      Seal.prototype.actor = null;
      Seal.prototype.session = null;

      Seal.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.relocation != null && $Object.hasOwnProperty.call(message, "relocation"))
          $root.rehome.bench.Id128.encode(message.relocation, writer.uint32(10).fork(), _depth + 1).ldelim();
        if (message.coordinator != null && $Object.hasOwnProperty.call(message, "coordinator"))
          $root.rehome.bench.Coordinator.encode(message.coordinator, writer.uint32(18).fork(), _depth + 1).ldelim();
        if (
          message.senderRole != null &&
          $Object.hasOwnProperty.call(message, "senderRole") &&
          message.senderRole !== 0
        )
          writer.uint32(24).int32(message.senderRole);
        if (message.actor != null && $Object.hasOwnProperty.call(message, "actor"))
          $root.rehome.bench.ActorFence.encode(message.actor, writer.uint32(34).fork(), _depth + 1).ldelim();
        if (message.session != null && $Object.hasOwnProperty.call(message, "session"))
          $root.rehome.bench.Session.encode(message.session, writer.uint32(42).fork(), _depth + 1).ldelim();
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Seal.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Seal();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              message.relocation = $root.rehome.bench.Id128.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.relocation,
              );
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              message.coordinator = $root.rehome.bench.Coordinator.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.coordinator,
              );
              continue;
            }
            case 3: {
              if (wireType !== 0) break;
              if ((value = reader.int32())) message.senderRole = value;
              else delete message.senderRole;
              continue;
            }
            case 4: {
              if (wireType !== 2) break;
              message.actor = $root.rehome.bench.ActorFence.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.actor,
              );
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              message.session = $root.rehome.bench.Session.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.session,
              );
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Seal;
    })();

    bench.Sealed = (function () {
      const Sealed = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Sealed.prototype.relocation = null;
      Sealed.prototype.coordinator = null;
      Sealed.prototype.actor = null;
      Sealed.prototype.session = null;

      Sealed.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.relocation != null && $Object.hasOwnProperty.call(message, "relocation"))
          $root.rehome.bench.Id128.encode(message.relocation, writer.uint32(10).fork(), _depth + 1).ldelim();
        if (message.coordinator != null && $Object.hasOwnProperty.call(message, "coordinator"))
          $root.rehome.bench.Coordinator.encode(message.coordinator, writer.uint32(18).fork(), _depth + 1).ldelim();
        if (message.actor != null && $Object.hasOwnProperty.call(message, "actor"))
          $root.rehome.bench.ActorFence.encode(message.actor, writer.uint32(26).fork(), _depth + 1).ldelim();
        if (message.session != null && $Object.hasOwnProperty.call(message, "session"))
          $root.rehome.bench.Session.encode(message.session, writer.uint32(34).fork(), _depth + 1).ldelim();
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Sealed.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Sealed();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              message.relocation = $root.rehome.bench.Id128.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.relocation,
              );
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              message.coordinator = $root.rehome.bench.Coordinator.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.coordinator,
              );
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              message.actor = $root.rehome.bench.ActorFence.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.actor,
              );
              continue;
            }
            case 4: {
              if (wireType !== 2) break;
              message.session = $root.rehome.bench.Session.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.session,
              );
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Sealed;
    })();

    bench.Commit = (function () {
      const Commit = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Commit.prototype.previousAuthorityOwnerGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Commit.prototype.targetAuthorityOwnerGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Commit.prototype.targetNodeRid = "";
      Commit.prototype.targetNodeGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Commit.prototype.targetOwnerLeaseGeneration = null;

      let $oneOfFields;

      // Virtual OneOf for proto3 optional field
      $Object.defineProperty(Commit.prototype, "_targetOwnerLeaseGeneration", {
        get: $util.oneOfGetter(($oneOfFields = ["targetOwnerLeaseGeneration"])),
        set: $util.oneOfSetter($oneOfFields),
      });

      Commit.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (
          message.previousAuthorityOwnerGeneration != null &&
          $Object.hasOwnProperty.call(message, "previousAuthorityOwnerGeneration") &&
          (typeof message.previousAuthorityOwnerGeneration === "object"
            ? message.previousAuthorityOwnerGeneration.low || message.previousAuthorityOwnerGeneration.high
            : message.previousAuthorityOwnerGeneration !== 0)
        )
          writer.uint32(9).fixed64(message.previousAuthorityOwnerGeneration);
        if (
          message.targetAuthorityOwnerGeneration != null &&
          $Object.hasOwnProperty.call(message, "targetAuthorityOwnerGeneration") &&
          (typeof message.targetAuthorityOwnerGeneration === "object"
            ? message.targetAuthorityOwnerGeneration.low || message.targetAuthorityOwnerGeneration.high
            : message.targetAuthorityOwnerGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.targetAuthorityOwnerGeneration);
        if (
          message.targetNodeRid != null &&
          $Object.hasOwnProperty.call(message, "targetNodeRid") &&
          message.targetNodeRid !== ""
        )
          writer.uint32(26).string(message.targetNodeRid);
        if (
          message.targetNodeGeneration != null &&
          $Object.hasOwnProperty.call(message, "targetNodeGeneration") &&
          (typeof message.targetNodeGeneration === "object"
            ? message.targetNodeGeneration.low || message.targetNodeGeneration.high
            : message.targetNodeGeneration !== 0)
        )
          writer.uint32(33).fixed64(message.targetNodeGeneration);
        if (
          message.targetOwnerLeaseGeneration != null &&
          $Object.hasOwnProperty.call(message, "targetOwnerLeaseGeneration")
        )
          writer.uint32(41).fixed64(message.targetOwnerLeaseGeneration);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Commit.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Commit();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.previousAuthorityOwnerGeneration = value;
              else delete message.previousAuthorityOwnerGeneration;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.targetAuthorityOwnerGeneration = value;
              else delete message.targetAuthorityOwnerGeneration;
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.targetNodeRid = value;
              else delete message.targetNodeRid;
              continue;
            }
            case 4: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.targetNodeGeneration = value;
              else delete message.targetNodeGeneration;
              continue;
            }
            case 5: {
              if (wireType !== 1) break;
              message.targetOwnerLeaseGeneration = reader.fixed64();
              message._targetOwnerLeaseGeneration = "targetOwnerLeaseGeneration";
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Commit;
    })();

    bench.Abort = (function () {
      const Abort = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Abort.prototype.currentAuthorityOwnerGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      Abort.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (
          message.currentAuthorityOwnerGeneration != null &&
          $Object.hasOwnProperty.call(message, "currentAuthorityOwnerGeneration") &&
          (typeof message.currentAuthorityOwnerGeneration === "object"
            ? message.currentAuthorityOwnerGeneration.low || message.currentAuthorityOwnerGeneration.high
            : message.currentAuthorityOwnerGeneration !== 0)
        )
          writer.uint32(9).fixed64(message.currentAuthorityOwnerGeneration);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Abort.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Abort();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.currentAuthorityOwnerGeneration = value;
              else delete message.currentAuthorityOwnerGeneration;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Abort;
    })();

    bench.Route = (function () {
      const Route = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Route.prototype.relocation = null;
      Route.prototype.coordinator = null;
      Route.prototype.senderRole = 0;
      Route.prototype.actor = null;
      Route.prototype.session = null;
      Route.prototype.commit = null;
      Route.prototype.abort = null;

      Route.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.relocation != null && $Object.hasOwnProperty.call(message, "relocation"))
          $root.rehome.bench.Id128.encode(message.relocation, writer.uint32(10).fork(), _depth + 1).ldelim();
        if (message.coordinator != null && $Object.hasOwnProperty.call(message, "coordinator"))
          $root.rehome.bench.Coordinator.encode(message.coordinator, writer.uint32(18).fork(), _depth + 1).ldelim();
        if (
          message.senderRole != null &&
          $Object.hasOwnProperty.call(message, "senderRole") &&
          message.senderRole !== 0
        )
          writer.uint32(24).int32(message.senderRole);
        if (message.actor != null && $Object.hasOwnProperty.call(message, "actor"))
          $root.rehome.bench.ActorRef.encode(message.actor, writer.uint32(34).fork(), _depth + 1).ldelim();
        if (message.session != null && $Object.hasOwnProperty.call(message, "session"))
          $root.rehome.bench.Session.encode(message.session, writer.uint32(42).fork(), _depth + 1).ldelim();
        if (message.commit != null && $Object.hasOwnProperty.call(message, "commit"))
          $root.rehome.bench.Commit.encode(message.commit, writer.uint32(50).fork(), _depth + 1).ldelim();
        if (message.abort != null && $Object.hasOwnProperty.call(message, "abort"))
          $root.rehome.bench.Abort.encode(message.abort, writer.uint32(58).fork(), _depth + 1).ldelim();
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Route.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Route();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              message.relocation = $root.rehome.bench.Id128.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.relocation,
              );
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              message.coordinator = $root.rehome.bench.Coordinator.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.coordinator,
              );
              continue;
            }
            case 3: {
              if (wireType !== 0) break;
              if ((value = reader.int32())) message.senderRole = value;
              else delete message.senderRole;
              continue;
            }
            case 4: {
              if (wireType !== 2) break;
              message.actor = $root.rehome.bench.ActorRef.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.actor,
              );
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              message.session = $root.rehome.bench.Session.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.session,
              );
              continue;
            }
            case 6: {
              if (wireType !== 2) break;
              message.commit = $root.rehome.bench.Commit.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.commit,
              );
              continue;
            }
            case 7: {
              if (wireType !== 2) break;
              message.abort = $root.rehome.bench.Abort.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.abort,
              );
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Route;
    })();

    bench.MovingActor = (function () {
      const MovingActor = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      MovingActor.prototype.actorId = "";
      MovingActor.prototype.objectGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      MovingActor.prototype.authorityOwnerGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      MovingActor.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.actorId != null && $Object.hasOwnProperty.call(message, "actorId") && message.actorId !== "")
          writer.uint32(10).string(message.actorId);
        if (
          message.objectGeneration != null &&
          $Object.hasOwnProperty.call(message, "objectGeneration") &&
          (typeof message.objectGeneration === "object"
            ? message.objectGeneration.low || message.objectGeneration.high
            : message.objectGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.objectGeneration);
        if (
          message.authorityOwnerGeneration != null &&
          $Object.hasOwnProperty.call(message, "authorityOwnerGeneration") &&
          (typeof message.authorityOwnerGeneration === "object"
            ? message.authorityOwnerGeneration.low || message.authorityOwnerGeneration.high
            : message.authorityOwnerGeneration !== 0)
        )
          writer.uint32(25).fixed64(message.authorityOwnerGeneration);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      MovingActor.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.MovingActor();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.actorId = value;
              else delete message.actorId;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.objectGeneration = value;
              else delete message.objectGeneration;
              continue;
            }
            case 3: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.authorityOwnerGeneration = value;
              else delete message.authorityOwnerGeneration;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return MovingActor;
    })();

    bench.BoundSessionSource = (function () {
      const BoundSessionSource = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      BoundSessionSource.prototype.nodeRid = "";
      BoundSessionSource.prototype.nodeGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      BoundSessionSource.prototype.ownerId = "";
      BoundSessionSource.prototype.ownerLeaseGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      BoundSessionSource.prototype.actor = null;
      BoundSessionSource.prototype.sessionRid = "";
      BoundSessionSource.prototype.bindingGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      BoundSessionSource.prototype.sessionSequence = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

      BoundSessionSource.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.nodeRid != null && $Object.hasOwnProperty.call(message, "nodeRid") && message.nodeRid !== "")
          writer.uint32(10).string(message.nodeRid);
        if (
          message.nodeGeneration != null &&
          $Object.hasOwnProperty.call(message, "nodeGeneration") &&
          (typeof message.nodeGeneration === "object"
            ? message.nodeGeneration.low || message.nodeGeneration.high
            : message.nodeGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.nodeGeneration);
        if (message.ownerId != null && $Object.hasOwnProperty.call(message, "ownerId") && message.ownerId !== "")
          writer.uint32(26).string(message.ownerId);
        if (
          message.ownerLeaseGeneration != null &&
          $Object.hasOwnProperty.call(message, "ownerLeaseGeneration") &&
          (typeof message.ownerLeaseGeneration === "object"
            ? message.ownerLeaseGeneration.low || message.ownerLeaseGeneration.high
            : message.ownerLeaseGeneration !== 0)
        )
          writer.uint32(33).fixed64(message.ownerLeaseGeneration);
        if (message.actor != null && $Object.hasOwnProperty.call(message, "actor"))
          $root.rehome.bench.ActorRef.encode(message.actor, writer.uint32(42).fork(), _depth + 1).ldelim();
        if (
          message.sessionRid != null &&
          $Object.hasOwnProperty.call(message, "sessionRid") &&
          message.sessionRid !== ""
        )
          writer.uint32(50).string(message.sessionRid);
        if (
          message.bindingGeneration != null &&
          $Object.hasOwnProperty.call(message, "bindingGeneration") &&
          (typeof message.bindingGeneration === "object"
            ? message.bindingGeneration.low || message.bindingGeneration.high
            : message.bindingGeneration !== 0)
        )
          writer.uint32(57).fixed64(message.bindingGeneration);
        if (
          message.sessionSequence != null &&
          $Object.hasOwnProperty.call(message, "sessionSequence") &&
          (typeof message.sessionSequence === "object"
            ? message.sessionSequence.low || message.sessionSequence.high
            : message.sessionSequence !== 0)
        )
          writer.uint32(65).fixed64(message.sessionSequence);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      BoundSessionSource.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.BoundSessionSource();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.nodeRid = value;
              else delete message.nodeRid;
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.nodeGeneration = value;
              else delete message.nodeGeneration;
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.ownerId = value;
              else delete message.ownerId;
              continue;
            }
            case 4: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.ownerLeaseGeneration = value;
              else delete message.ownerLeaseGeneration;
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              message.actor = $root.rehome.bench.ActorRef.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.actor,
              );
              continue;
            }
            case 6: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.sessionRid = value;
              else delete message.sessionRid;
              continue;
            }
            case 7: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.bindingGeneration = value;
              else delete message.bindingGeneration;
              continue;
            }
            case 8: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.sessionSequence = value;
              else delete message.sessionSequence;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return BoundSessionSource;
    })();

    bench.Entry = (function () {
      const Entry = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Entry.prototype.key = "";
      Entry.prototype.value = "";

      Entry.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key !== "")
          writer.uint32(10).string(message.key);
        if (message.value != null && $Object.hasOwnProperty.call(message, "value") && message.value !== "")
          writer.uint32(18).string(message.value);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Entry.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Entry();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.key = value;
              else delete message.key;
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.value = value;
              else delete message.value;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Entry;
    })();

    bench.Payload = (function () {
      const Payload = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Payload.prototype.packetName = "";
      Payload.prototype.contentType = "";
      Payload.prototype.data = $util.newBuffer([]);

      Payload.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (
          message.packetName != null &&
          $Object.hasOwnProperty.call(message, "packetName") &&
          message.packetName !== ""
        )
          writer.uint32(10).string(message.packetName);
        if (
          message.contentType != null &&
          $Object.hasOwnProperty.call(message, "contentType") &&
          message.contentType !== ""
        )
          writer.uint32(18).string(message.contentType);
        if (message.data != null && $Object.hasOwnProperty.call(message, "data") && message.data.length)
          writer.uint32(26).bytes(message.data);
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Payload.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Payload();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.packetName = value;
              else delete message.packetName;
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              if ((value = reader.stringVerify()).length) message.contentType = value;
              else delete message.contentType;
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              if ((value = reader.bytes()).length) message.data = value;
              else delete message.data;
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Payload;
    })();

    bench.ActorSend = (function () {
      const ActorSend = function (properties) {
        this.metadata = [];
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      ActorSend.prototype.source = null;
      ActorSend.prototype.metadata = $util.emptyArray;
      ActorSend.prototype.operation = null;
      ActorSend.prototype.target = null;
      ActorSend.prototype.payload = null;

      ActorSend.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.source != null && $Object.hasOwnProperty.call(message, "source"))
          $root.rehome.bench.BoundSessionSource.encode(message.source, writer.uint32(10).fork(), _depth + 1).ldelim();
        if (message.metadata != null && message.metadata.length)
          for (let i = 0; i < message.metadata.length; ++i)
            $root.rehome.bench.Entry.encode(message.metadata[i], writer.uint32(18).fork(), _depth + 1).ldelim();
        if (message.operation != null && $Object.hasOwnProperty.call(message, "operation"))
          $root.rehome.bench.Id128.encode(message.operation, writer.uint32(26).fork(), _depth + 1).ldelim();
        if (message.target != null && $Object.hasOwnProperty.call(message, "target"))
          $root.rehome.bench.ActorFence.encode(message.target, writer.uint32(34).fork(), _depth + 1).ldelim();
        if (message.payload != null && $Object.hasOwnProperty.call(message, "payload"))
          $root.rehome.bench.Payload.encode(message.payload, writer.uint32(42).fork(), _depth + 1).ldelim();
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      ActorSend.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.ActorSend();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              message.source = $root.rehome.bench.BoundSessionSource.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.source,
              );
              continue;
            }
            case 2: {
              if (wireType !== 2) break;
              if (!(message.metadata && message.metadata.length)) message.metadata = [];
              message.metadata.push($root.rehome.bench.Entry.decode(reader, reader.size(), $undefined, _depth + 1));
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              message.operation = $root.rehome.bench.Id128.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.operation,
              );
              continue;
            }
            case 4: {
              if (wireType !== 2) break;
              message.target = $root.rehome.bench.ActorFence.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.target,
              );
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              message.payload = $root.rehome.bench.Payload.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.payload,
              );
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return ActorSend;
    })();

    bench.Data = (function () {
      const Data = function (properties) {
        if (properties)
          for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
            if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
      };

      Data.prototype.relocation = null;
      Data.prototype.targetAttemptGeneration = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;
      Data.prototype.coordinator = null;
      Data.prototype.senderRole = 0;
      Data.prototype.actor = null;
      Data.prototype.record = null;

      Data.encode = function (message, writer, _depth) {
        if (!writer) writer = $Writer.create();
        if (_depth === $undefined) _depth = 0;
        if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
        if (message.relocation != null && $Object.hasOwnProperty.call(message, "relocation"))
          $root.rehome.bench.Id128.encode(message.relocation, writer.uint32(10).fork(), _depth + 1).ldelim();
        if (
          message.targetAttemptGeneration != null &&
          $Object.hasOwnProperty.call(message, "targetAttemptGeneration") &&
          (typeof message.targetAttemptGeneration === "object"
            ? message.targetAttemptGeneration.low || message.targetAttemptGeneration.high
            : message.targetAttemptGeneration !== 0)
        )
          writer.uint32(17).fixed64(message.targetAttemptGeneration);
        if (message.coordinator != null && $Object.hasOwnProperty.call(message, "coordinator"))
          $root.rehome.bench.Coordinator.encode(message.coordinator, writer.uint32(26).fork(), _depth + 1).ldelim();
        if (
          message.senderRole != null &&
          $Object.hasOwnProperty.call(message, "senderRole") &&
          message.senderRole !== 0
        )
          writer.uint32(32).int32(message.senderRole);
        if (message.actor != null && $Object.hasOwnProperty.call(message, "actor"))
          $root.rehome.bench.MovingActor.encode(message.actor, writer.uint32(42).fork(), _depth + 1).ldelim();
        if (message.record != null && $Object.hasOwnProperty.call(message, "record"))
          $root.rehome.bench.ActorSend.encode(message.record, writer.uint32(50).fork(), _depth + 1).ldelim();
        if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
          for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
        return writer;
      };

      Data.decode = function (reader, length, _end, _depth, _target) {
        if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
        if (_depth === $undefined) _depth = 0;
        if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
        let end, message, value;
        if (length === $undefined) end = reader.len;
        else {
          end = reader.pos + length;
          if (end > reader.len) throw $RangeError("index out of range");
          length = reader.len;
          reader.len = end;
        }
        message = _target || new $root.rehome.bench.Data();
        while (reader.pos < end) {
          let start = reader.pos;
          let tag = reader.tag();
          if (tag === _end) {
            _end = $undefined;
            break;
          }
          let wireType = tag & 7;
          switch ((tag >>>= 3)) {
            case 1: {
              if (wireType !== 2) break;
              message.relocation = $root.rehome.bench.Id128.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.relocation,
              );
              continue;
            }
            case 2: {
              if (wireType !== 1) break;
              if (typeof (value = reader.fixed64()) === "object" ? value.low || value.high : value !== 0)
                message.targetAttemptGeneration = value;
              else delete message.targetAttemptGeneration;
              continue;
            }
            case 3: {
              if (wireType !== 2) break;
              message.coordinator = $root.rehome.bench.Coordinator.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.coordinator,
              );
              continue;
            }
            case 4: {
              if (wireType !== 0) break;
              if ((value = reader.int32())) message.senderRole = value;
              else delete message.senderRole;
              continue;
            }
            case 5: {
              if (wireType !== 2) break;
              message.actor = $root.rehome.bench.MovingActor.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.actor,
              );
              continue;
            }
            case 6: {
              if (wireType !== 2) break;
              message.record = $root.rehome.bench.ActorSend.decode(
                reader,
                reader.size(),
                $undefined,
                _depth + 1,
                message.record,
              );
              continue;
            }
          }
          reader.skipType(wireType, _depth, tag);
          if (!reader.discardUnknown) {
            $util.makeProp(message, "$unknowns", false);
            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
          }
        }
        if (length !== $undefined) {
          if (reader.pos !== end) throw $RangeError("index out of range");
          reader.len = length;
        }
        if (_end !== $undefined) throw $Error("missing end group");
        return message;
      };

      return Data;
    })();

    return bench;
  })();

  return rehome;
})());

export { $root as default };
