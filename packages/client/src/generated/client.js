// Made by scripts/proto.mjs from proto/client.proto. Do not edit.
/* eslint-disable */
import $protobuf from "protobufjs/minimal.js";

// Common aliases
const $Reader = $protobuf.Reader,
  $Writer = $protobuf.Writer,
  $util = $protobuf.util;
const $Object = $util.global.Object,
  $undefined = $util.global.undefined,
  $Error = $util.global.Error,
  $RangeError = $util.global.RangeError;

// Exported root namespace
const $root = $protobuf.roots["rehome_client"] || ($protobuf.roots["rehome_client"] = {});

export const rehome = ($root.rehome = (() => {
  /**
   * Namespace rehome.
   * @exports rehome
   * @namespace
   */
  const rehome = {};

  rehome.client = (function () {
    /**
     * Namespace client.
     * @memberof rehome
     * @namespace
     */
    const client = {};

    client.v1 = (function () {
      /**
       * Namespace v1.
       * @memberof rehome.client
       * @namespace
       */
      const v1 = {};

      v1.ClientPacket = (function () {
        /**
         * Properties of a ClientPacket.
         * @typedef {Object} rehome.client.v1.ClientPacket.$Properties
         * @property {number|null} [first] ClientPacket first
         * @property {number|null} [acknowledged] ClientPacket acknowledged
         * @property {Array.<rehome.client.v1.ClientFrame.$Properties>|null} [frames] ClientPacket frames
         * @property {rehome.client.v1.Hello.$Properties|null} [hello] ClientPacket hello
         * @property {rehome.client.v1.Pong.$Properties|null} [pong] ClientPacket pong
         * @property {rehome.client.v1.Goodbye.$Properties|null} [goodbye] ClientPacket goodbye
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a ClientPacket.
         * @memberof rehome.client.v1
         * @interface IClientPacket
         * @augments rehome.client.v1.ClientPacket.$Properties
         * @deprecated Use rehome.client.v1.ClientPacket.$Properties instead.
         */

        /**
         * Shape of a ClientPacket.
         * @typedef {{
         *   first?: number|null;
         *   acknowledged?: number|null;
         *   frames?: Array.<rehome.client.v1.ClientFrame.$Shape>|null;
         *   hello?: rehome.client.v1.Hello.$Shape|null;
         *   pong?: rehome.client.v1.Pong.$Shape|null;
         *   goodbye?: rehome.client.v1.Goodbye.$Shape|null;
         *   $unknowns?: Array.<Uint8Array>;
         * }} rehome.client.v1.ClientPacket.$Shape
         */

        /**
         * Constructs a new ClientPacket.
         * @memberof rehome.client.v1
         * @classdesc Represents a ClientPacket.
         * @constructor
         * @param {rehome.client.v1.ClientPacket.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const ClientPacket = function (properties) {
          this.frames = [];
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * ClientPacket first.
         * @member {number} first
         * @memberof rehome.client.v1.ClientPacket
         * @instance
         */
        ClientPacket.prototype.first = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * ClientPacket acknowledged.
         * @member {number} acknowledged
         * @memberof rehome.client.v1.ClientPacket
         * @instance
         */
        ClientPacket.prototype.acknowledged = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * ClientPacket frames.
         * @member {Array.<rehome.client.v1.ClientFrame.$Properties>} frames
         * @memberof rehome.client.v1.ClientPacket
         * @instance
         */
        ClientPacket.prototype.frames = $util.emptyArray;

        /**
         * ClientPacket hello.
         * @member {rehome.client.v1.Hello.$Properties|null|undefined} hello
         * @memberof rehome.client.v1.ClientPacket
         * @instance
         */
        ClientPacket.prototype.hello = null;

        /**
         * ClientPacket pong.
         * @member {rehome.client.v1.Pong.$Properties|null|undefined} pong
         * @memberof rehome.client.v1.ClientPacket
         * @instance
         */
        ClientPacket.prototype.pong = null;

        /**
         * ClientPacket goodbye.
         * @member {rehome.client.v1.Goodbye.$Properties|null|undefined} goodbye
         * @memberof rehome.client.v1.ClientPacket
         * @instance
         */
        ClientPacket.prototype.goodbye = null;

        /**
         * Encodes the specified ClientPacket message. Does not implicitly {@link rehome.client.v1.ClientPacket.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.ClientPacket
         * @static
         * @param {rehome.client.v1.ClientPacket.$Properties} message ClientPacket message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        ClientPacket.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (
            message.first != null &&
            $Object.hasOwnProperty.call(message, "first") &&
            (typeof message.first === "object" ? message.first.low || message.first.high : message.first !== 0)
          )
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint64(message.first);
          if (
            message.acknowledged != null &&
            $Object.hasOwnProperty.call(message, "acknowledged") &&
            (typeof message.acknowledged === "object"
              ? message.acknowledged.low || message.acknowledged.high
              : message.acknowledged !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.acknowledged);
          if (message.frames != null && message.frames.length)
            for (let i = 0; i < message.frames.length; ++i)
              $root.rehome.client.v1.ClientFrame.encode(
                message.frames[i],
                writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
                _depth + 1,
              ).ldelim();
          if (message.hello != null && $Object.hasOwnProperty.call(message, "hello"))
            $root.rehome.client.v1.Hello.encode(
              message.hello,
              writer.uint32(/* id 4, wireType 2 =*/ 34).fork(),
              _depth + 1,
            ).ldelim();
          if (message.pong != null && $Object.hasOwnProperty.call(message, "pong"))
            $root.rehome.client.v1.Pong.encode(
              message.pong,
              writer.uint32(/* id 5, wireType 2 =*/ 42).fork(),
              _depth + 1,
            ).ldelim();
          if (message.goodbye != null && $Object.hasOwnProperty.call(message, "goodbye"))
            $root.rehome.client.v1.Goodbye.encode(
              message.goodbye,
              writer.uint32(/* id 6, wireType 2 =*/ 50).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a ClientPacket message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.ClientPacket
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.ClientPacket & rehome.client.v1.ClientPacket.$Shape} ClientPacket
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        ClientPacket.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.ClientPacket();
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
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.first = value;
                else delete message.first;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.acknowledged = value;
                else delete message.acknowledged;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                if (!(message.frames && message.frames.length)) message.frames = [];
                message.frames.push(
                  $root.rehome.client.v1.ClientFrame.decode(reader, reader.size(), $undefined, _depth + 1),
                );
                continue;
              }
              case 4: {
                if (wireType !== 2) break;
                message.hello = $root.rehome.client.v1.Hello.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.hello,
                );
                continue;
              }
              case 5: {
                if (wireType !== 2) break;
                message.pong = $root.rehome.client.v1.Pong.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.pong,
                );
                continue;
              }
              case 6: {
                if (wireType !== 2) break;
                message.goodbye = $root.rehome.client.v1.Goodbye.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.goodbye,
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

        return ClientPacket;
      })();

      v1.Hello = (function () {
        /**
         * Properties of a Hello.
         * @typedef {Object} rehome.client.v1.Hello.$Properties
         * @property {number|null} [protocolVersion] Hello protocolVersion
         * @property {string|null} [token] Hello token
         * @property {rehome.client.v1.Resume.$Properties|null} [resume] Hello resume
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Hello.
         * @memberof rehome.client.v1
         * @interface IHello
         * @augments rehome.client.v1.Hello.$Properties
         * @deprecated Use rehome.client.v1.Hello.$Properties instead.
         */

        /**
         * Shape of a Hello.
         * @typedef {rehome.client.v1.Hello.$Properties} rehome.client.v1.Hello.$Shape
         */

        /**
         * Constructs a new Hello.
         * @memberof rehome.client.v1
         * @classdesc Represents a Hello.
         * @constructor
         * @param {rehome.client.v1.Hello.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Hello = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Hello protocolVersion.
         * @member {number} protocolVersion
         * @memberof rehome.client.v1.Hello
         * @instance
         */
        Hello.prototype.protocolVersion = 0;

        /**
         * Hello token.
         * @member {string} token
         * @memberof rehome.client.v1.Hello
         * @instance
         */
        Hello.prototype.token = "";

        /**
         * Hello resume.
         * @member {rehome.client.v1.Resume.$Properties|null|undefined} resume
         * @memberof rehome.client.v1.Hello
         * @instance
         */
        Hello.prototype.resume = null;

        /**
         * Encodes the specified Hello message. Does not implicitly {@link rehome.client.v1.Hello.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Hello
         * @static
         * @param {rehome.client.v1.Hello.$Properties} message Hello message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Hello.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (
            message.protocolVersion != null &&
            $Object.hasOwnProperty.call(message, "protocolVersion") &&
            message.protocolVersion !== 0
          )
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.protocolVersion);
          if (message.token != null && $Object.hasOwnProperty.call(message, "token") && message.token !== "")
            writer.uint32(/* id 2, wireType 2 =*/ 18).string(message.token);
          if (message.resume != null && $Object.hasOwnProperty.call(message, "resume"))
            $root.rehome.client.v1.Resume.encode(
              message.resume,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Hello message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Hello
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Hello & rehome.client.v1.Hello.$Shape} Hello
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Hello.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Hello();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.protocolVersion = value;
                else delete message.protocolVersion;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                if ((value = reader.stringVerify()).length) message.token = value;
                else delete message.token;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.resume = $root.rehome.client.v1.Resume.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.resume,
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

        return Hello;
      })();

      v1.Resume = (function () {
        /**
         * Properties of a Resume.
         * @typedef {Object} rehome.client.v1.Resume.$Properties
         * @property {Uint8Array|null} [session] Resume session
         * @property {number|null} [received] Resume received
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Resume.
         * @memberof rehome.client.v1
         * @interface IResume
         * @augments rehome.client.v1.Resume.$Properties
         * @deprecated Use rehome.client.v1.Resume.$Properties instead.
         */

        /**
         * Shape of a Resume.
         * @typedef {rehome.client.v1.Resume.$Properties} rehome.client.v1.Resume.$Shape
         */

        /**
         * Constructs a new Resume.
         * @memberof rehome.client.v1
         * @classdesc Represents a Resume.
         * @constructor
         * @param {rehome.client.v1.Resume.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Resume = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Resume session.
         * @member {Uint8Array} session
         * @memberof rehome.client.v1.Resume
         * @instance
         */
        Resume.prototype.session = $util.newBuffer([]);

        /**
         * Resume received.
         * @member {number} received
         * @memberof rehome.client.v1.Resume
         * @instance
         */
        Resume.prototype.received = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * Encodes the specified Resume message. Does not implicitly {@link rehome.client.v1.Resume.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Resume
         * @static
         * @param {rehome.client.v1.Resume.$Properties} message Resume message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Resume.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.session != null && $Object.hasOwnProperty.call(message, "session") && message.session.length)
            writer.uint32(/* id 1, wireType 2 =*/ 10).bytes(message.session);
          if (
            message.received != null &&
            $Object.hasOwnProperty.call(message, "received") &&
            (typeof message.received === "object"
              ? message.received.low || message.received.high
              : message.received !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.received);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Resume message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Resume
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Resume & rehome.client.v1.Resume.$Shape} Resume
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Resume.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Resume();
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
                if ((value = reader.bytes()).length) message.session = value;
                else delete message.session;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.received = value;
                else delete message.received;
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

        return Resume;
      })();

      v1.Pong = (function () {
        /**
         * Properties of a Pong.
         * @typedef {Object} rehome.client.v1.Pong.$Properties
         * @property {number|null} [number] Pong number
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Pong.
         * @memberof rehome.client.v1
         * @interface IPong
         * @augments rehome.client.v1.Pong.$Properties
         * @deprecated Use rehome.client.v1.Pong.$Properties instead.
         */

        /**
         * Shape of a Pong.
         * @typedef {rehome.client.v1.Pong.$Properties} rehome.client.v1.Pong.$Shape
         */

        /**
         * Constructs a new Pong.
         * @memberof rehome.client.v1
         * @classdesc Represents a Pong.
         * @constructor
         * @param {rehome.client.v1.Pong.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Pong = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Pong number.
         * @member {number} number
         * @memberof rehome.client.v1.Pong
         * @instance
         */
        Pong.prototype.number = 0;

        /**
         * Encodes the specified Pong message. Does not implicitly {@link rehome.client.v1.Pong.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Pong
         * @static
         * @param {rehome.client.v1.Pong.$Properties} message Pong message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Pong.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.number != null && $Object.hasOwnProperty.call(message, "number") && message.number !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.number);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Pong message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Pong
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Pong & rehome.client.v1.Pong.$Shape} Pong
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Pong.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Pong();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.number = value;
                else delete message.number;
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

        return Pong;
      })();

      v1.Goodbye = (function () {
        /**
         * Properties of a Goodbye.
         * @typedef {Object} rehome.client.v1.Goodbye.$Properties
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Goodbye.
         * @memberof rehome.client.v1
         * @interface IGoodbye
         * @augments rehome.client.v1.Goodbye.$Properties
         * @deprecated Use rehome.client.v1.Goodbye.$Properties instead.
         */

        /**
         * Shape of a Goodbye.
         * @typedef {rehome.client.v1.Goodbye.$Properties} rehome.client.v1.Goodbye.$Shape
         */

        /**
         * Constructs a new Goodbye.
         * @memberof rehome.client.v1
         * @classdesc Represents a Goodbye.
         * @constructor
         * @param {rehome.client.v1.Goodbye.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Goodbye = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Encodes the specified Goodbye message. Does not implicitly {@link rehome.client.v1.Goodbye.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Goodbye
         * @static
         * @param {rehome.client.v1.Goodbye.$Properties} message Goodbye message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Goodbye.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Goodbye message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Goodbye
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Goodbye & rehome.client.v1.Goodbye.$Shape} Goodbye
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Goodbye.decode = function (reader, length, _end, _depth, _target) {
          if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
          if (_depth === $undefined) _depth = 0;
          if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
          let end, message;
          if (length === $undefined) end = reader.len;
          else {
            end = reader.pos + length;
            if (end > reader.len) throw $RangeError("index out of range");
            length = reader.len;
            reader.len = end;
          }
          message = _target || new $root.rehome.client.v1.Goodbye();
          while (reader.pos < end) {
            let start = reader.pos;
            let tag = reader.tag();
            if (tag === _end) {
              _end = $undefined;
              break;
            }
            reader.skipType(tag & 7, _depth, tag);
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

        return Goodbye;
      })();

      v1.ClientFrame = (function () {
        /**
         * Properties of a ClientFrame.
         * @typedef {Object} rehome.client.v1.ClientFrame.$Properties
         * @property {rehome.client.v1.Bind.$Properties|null} [bind] ClientFrame bind
         * @property {rehome.client.v1.Unbind.$Properties|null} [unbind] ClientFrame unbind
         * @property {rehome.client.v1.Send.$Properties|null} [send] ClientFrame send
         * @property {rehome.client.v1.Request.$Properties|null} [request] ClientFrame request
         * @property {"bind"|"unbind"|"send"|"request"} [kind] ClientFrame kind
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a ClientFrame.
         * @memberof rehome.client.v1
         * @interface IClientFrame
         * @augments rehome.client.v1.ClientFrame.$Properties
         * @deprecated Use rehome.client.v1.ClientFrame.$Properties instead.
         */

        /**
         * Narrowed shape of a ClientFrame.
         * @typedef {{
         *   bind?: rehome.client.v1.Bind.$Shape|null;
         *   unbind?: rehome.client.v1.Unbind.$Shape|null;
         *   send?: rehome.client.v1.Send.$Shape|null;
         *   request?: rehome.client.v1.Request.$Shape|null;
         *   $unknowns?: Array.<Uint8Array>;
         * } & (
         *   ({ kind?: undefined; bind?: null; unbind?: null; send?: null; request?: null }|{ kind?: "bind"; bind: rehome.client.v1.Bind.$Shape; unbind?: null; send?: null; request?: null }|{ kind?: "unbind"; bind?: null; unbind: rehome.client.v1.Unbind.$Shape; send?: null; request?: null }|{ kind?: "send"; bind?: null; unbind?: null; send: rehome.client.v1.Send.$Shape; request?: null }|{ kind?: "request"; bind?: null; unbind?: null; send?: null; request: rehome.client.v1.Request.$Shape })
         * )} rehome.client.v1.ClientFrame.$Shape
         */

        /**
         * Constructs a new ClientFrame.
         * @memberof rehome.client.v1
         * @classdesc Represents a ClientFrame.
         * @constructor
         * @param {rehome.client.v1.ClientFrame.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const ClientFrame = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * ClientFrame bind.
         * @member {rehome.client.v1.Bind.$Properties|null|undefined} bind
         * @memberof rehome.client.v1.ClientFrame
         * @instance
         */
        ClientFrame.prototype.bind = null;

        /**
         * ClientFrame unbind.
         * @member {rehome.client.v1.Unbind.$Properties|null|undefined} unbind
         * @memberof rehome.client.v1.ClientFrame
         * @instance
         */
        ClientFrame.prototype.unbind = null;

        /**
         * ClientFrame send.
         * @member {rehome.client.v1.Send.$Properties|null|undefined} send
         * @memberof rehome.client.v1.ClientFrame
         * @instance
         */
        ClientFrame.prototype.send = null;

        /**
         * ClientFrame request.
         * @member {rehome.client.v1.Request.$Properties|null|undefined} request
         * @memberof rehome.client.v1.ClientFrame
         * @instance
         */
        ClientFrame.prototype.request = null;

        // OneOf field names bound to virtual getters and setters
        let $oneOfFields;

        /**
         * ClientFrame kind.
         * @member {"bind"|"unbind"|"send"|"request"|undefined} kind
         * @memberof rehome.client.v1.ClientFrame
         * @instance
         */
        $Object.defineProperty(ClientFrame.prototype, "kind", {
          get: $util.oneOfGetter(($oneOfFields = ["bind", "unbind", "send", "request"])),
          set: $util.oneOfSetter($oneOfFields),
        });

        /**
         * Encodes the specified ClientFrame message. Does not implicitly {@link rehome.client.v1.ClientFrame.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.ClientFrame
         * @static
         * @param {rehome.client.v1.ClientFrame.$Properties} message ClientFrame message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        ClientFrame.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.bind != null && $Object.hasOwnProperty.call(message, "bind"))
            $root.rehome.client.v1.Bind.encode(
              message.bind,
              writer.uint32(/* id 1, wireType 2 =*/ 10).fork(),
              _depth + 1,
            ).ldelim();
          if (message.unbind != null && $Object.hasOwnProperty.call(message, "unbind"))
            $root.rehome.client.v1.Unbind.encode(
              message.unbind,
              writer.uint32(/* id 2, wireType 2 =*/ 18).fork(),
              _depth + 1,
            ).ldelim();
          if (message.send != null && $Object.hasOwnProperty.call(message, "send"))
            $root.rehome.client.v1.Send.encode(
              message.send,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.request != null && $Object.hasOwnProperty.call(message, "request"))
            $root.rehome.client.v1.Request.encode(
              message.request,
              writer.uint32(/* id 4, wireType 2 =*/ 34).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a ClientFrame message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.ClientFrame
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.ClientFrame & rehome.client.v1.ClientFrame.$Shape} ClientFrame
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        ClientFrame.decode = function (reader, length, _end, _depth, _target) {
          if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
          if (_depth === $undefined) _depth = 0;
          if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
          let end, message;
          if (length === $undefined) end = reader.len;
          else {
            end = reader.pos + length;
            if (end > reader.len) throw $RangeError("index out of range");
            length = reader.len;
            reader.len = end;
          }
          message = _target || new $root.rehome.client.v1.ClientFrame();
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
                message.bind = $root.rehome.client.v1.Bind.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.bind,
                );
                message.kind = "bind";
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                message.unbind = $root.rehome.client.v1.Unbind.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.unbind,
                );
                message.kind = "unbind";
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.send = $root.rehome.client.v1.Send.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.send,
                );
                message.kind = "send";
                continue;
              }
              case 4: {
                if (wireType !== 2) break;
                message.request = $root.rehome.client.v1.Request.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.request,
                );
                message.kind = "request";
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

        return ClientFrame;
      })();

      v1.Bind = (function () {
        /**
         * Properties of a Bind.
         * @typedef {Object} rehome.client.v1.Bind.$Properties
         * @property {number|null} [binding] Bind binding
         * @property {string|null} [actorType] Bind actorType
         * @property {string|null} [actorId] Bind actorId
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Bind.
         * @memberof rehome.client.v1
         * @interface IBind
         * @augments rehome.client.v1.Bind.$Properties
         * @deprecated Use rehome.client.v1.Bind.$Properties instead.
         */

        /**
         * Shape of a Bind.
         * @typedef {rehome.client.v1.Bind.$Properties} rehome.client.v1.Bind.$Shape
         */

        /**
         * Constructs a new Bind.
         * @memberof rehome.client.v1
         * @classdesc Represents a Bind.
         * @constructor
         * @param {rehome.client.v1.Bind.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Bind = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Bind binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Bind
         * @instance
         */
        Bind.prototype.binding = 0;

        /**
         * Bind actorType.
         * @member {string} actorType
         * @memberof rehome.client.v1.Bind
         * @instance
         */
        Bind.prototype.actorType = "";

        /**
         * Bind actorId.
         * @member {string} actorId
         * @memberof rehome.client.v1.Bind
         * @instance
         */
        Bind.prototype.actorId = "";

        /**
         * Encodes the specified Bind message. Does not implicitly {@link rehome.client.v1.Bind.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Bind
         * @static
         * @param {rehome.client.v1.Bind.$Properties} message Bind message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Bind.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (
            message.actorType != null &&
            $Object.hasOwnProperty.call(message, "actorType") &&
            message.actorType !== ""
          )
            writer.uint32(/* id 2, wireType 2 =*/ 18).string(message.actorType);
          if (message.actorId != null && $Object.hasOwnProperty.call(message, "actorId") && message.actorId !== "")
            writer.uint32(/* id 3, wireType 2 =*/ 26).string(message.actorId);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Bind message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Bind
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Bind & rehome.client.v1.Bind.$Shape} Bind
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Bind.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Bind();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                if ((value = reader.stringVerify()).length) message.actorType = value;
                else delete message.actorType;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                if ((value = reader.stringVerify()).length) message.actorId = value;
                else delete message.actorId;
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

        return Bind;
      })();

      v1.Unbind = (function () {
        /**
         * Properties of an Unbind.
         * @typedef {Object} rehome.client.v1.Unbind.$Properties
         * @property {number|null} [binding] Unbind binding
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of an Unbind.
         * @memberof rehome.client.v1
         * @interface IUnbind
         * @augments rehome.client.v1.Unbind.$Properties
         * @deprecated Use rehome.client.v1.Unbind.$Properties instead.
         */

        /**
         * Shape of an Unbind.
         * @typedef {rehome.client.v1.Unbind.$Properties} rehome.client.v1.Unbind.$Shape
         */

        /**
         * Constructs a new Unbind.
         * @memberof rehome.client.v1
         * @classdesc Represents an Unbind.
         * @constructor
         * @param {rehome.client.v1.Unbind.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Unbind = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Unbind binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Unbind
         * @instance
         */
        Unbind.prototype.binding = 0;

        /**
         * Encodes the specified Unbind message. Does not implicitly {@link rehome.client.v1.Unbind.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Unbind
         * @static
         * @param {rehome.client.v1.Unbind.$Properties} message Unbind message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Unbind.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes an Unbind message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Unbind
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Unbind & rehome.client.v1.Unbind.$Shape} Unbind
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Unbind.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Unbind();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
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

        return Unbind;
      })();

      v1.Send = (function () {
        /**
         * Properties of a Send.
         * @typedef {Object} rehome.client.v1.Send.$Properties
         * @property {number|null} [binding] Send binding
         * @property {number|null} [sequence] Send sequence
         * @property {rehome.client.v1.Payload.$Properties|null} [payload] Send payload
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Send.
         * @memberof rehome.client.v1
         * @interface ISend
         * @augments rehome.client.v1.Send.$Properties
         * @deprecated Use rehome.client.v1.Send.$Properties instead.
         */

        /**
         * Shape of a Send.
         * @typedef {rehome.client.v1.Send.$Properties} rehome.client.v1.Send.$Shape
         */

        /**
         * Constructs a new Send.
         * @memberof rehome.client.v1
         * @classdesc Represents a Send.
         * @constructor
         * @param {rehome.client.v1.Send.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Send = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Send binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Send
         * @instance
         */
        Send.prototype.binding = 0;

        /**
         * Send sequence.
         * @member {number} sequence
         * @memberof rehome.client.v1.Send
         * @instance
         */
        Send.prototype.sequence = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * Send payload.
         * @member {rehome.client.v1.Payload.$Properties|null|undefined} payload
         * @memberof rehome.client.v1.Send
         * @instance
         */
        Send.prototype.payload = null;

        /**
         * Encodes the specified Send message. Does not implicitly {@link rehome.client.v1.Send.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Send
         * @static
         * @param {rehome.client.v1.Send.$Properties} message Send message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Send.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (
            message.sequence != null &&
            $Object.hasOwnProperty.call(message, "sequence") &&
            (typeof message.sequence === "object"
              ? message.sequence.low || message.sequence.high
              : message.sequence !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.sequence);
          if (message.payload != null && $Object.hasOwnProperty.call(message, "payload"))
            $root.rehome.client.v1.Payload.encode(
              message.payload,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Send message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Send
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Send & rehome.client.v1.Send.$Shape} Send
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Send.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Send();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.sequence = value;
                else delete message.sequence;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.payload = $root.rehome.client.v1.Payload.decode(
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

        return Send;
      })();

      v1.Request = (function () {
        /**
         * Properties of a Request.
         * @typedef {Object} rehome.client.v1.Request.$Properties
         * @property {number|null} [binding] Request binding
         * @property {number|null} [sequence] Request sequence
         * @property {rehome.client.v1.Payload.$Properties|null} [payload] Request payload
         * @property {number|null} [timeoutMs] Request timeoutMs
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Request.
         * @memberof rehome.client.v1
         * @interface IRequest
         * @augments rehome.client.v1.Request.$Properties
         * @deprecated Use rehome.client.v1.Request.$Properties instead.
         */

        /**
         * Shape of a Request.
         * @typedef {rehome.client.v1.Request.$Properties} rehome.client.v1.Request.$Shape
         */

        /**
         * Constructs a new Request.
         * @memberof rehome.client.v1
         * @classdesc Represents a Request.
         * @constructor
         * @param {rehome.client.v1.Request.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Request = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Request binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Request
         * @instance
         */
        Request.prototype.binding = 0;

        /**
         * Request sequence.
         * @member {number} sequence
         * @memberof rehome.client.v1.Request
         * @instance
         */
        Request.prototype.sequence = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * Request payload.
         * @member {rehome.client.v1.Payload.$Properties|null|undefined} payload
         * @memberof rehome.client.v1.Request
         * @instance
         */
        Request.prototype.payload = null;

        /**
         * Request timeoutMs.
         * @member {number} timeoutMs
         * @memberof rehome.client.v1.Request
         * @instance
         */
        Request.prototype.timeoutMs = 0;

        /**
         * Encodes the specified Request message. Does not implicitly {@link rehome.client.v1.Request.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Request
         * @static
         * @param {rehome.client.v1.Request.$Properties} message Request message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Request.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (
            message.sequence != null &&
            $Object.hasOwnProperty.call(message, "sequence") &&
            (typeof message.sequence === "object"
              ? message.sequence.low || message.sequence.high
              : message.sequence !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.sequence);
          if (message.payload != null && $Object.hasOwnProperty.call(message, "payload"))
            $root.rehome.client.v1.Payload.encode(
              message.payload,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.timeoutMs != null && $Object.hasOwnProperty.call(message, "timeoutMs") && message.timeoutMs !== 0)
            writer.uint32(/* id 4, wireType 0 =*/ 32).uint32(message.timeoutMs);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Request message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Request
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Request & rehome.client.v1.Request.$Shape} Request
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Request.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Request();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.sequence = value;
                else delete message.sequence;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.payload = $root.rehome.client.v1.Payload.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.payload,
                );
                continue;
              }
              case 4: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.timeoutMs = value;
                else delete message.timeoutMs;
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

        return Request;
      })();

      v1.GatewayPacket = (function () {
        /**
         * Properties of a GatewayPacket.
         * @typedef {Object} rehome.client.v1.GatewayPacket.$Properties
         * @property {number|null} [first] GatewayPacket first
         * @property {number|null} [acknowledged] GatewayPacket acknowledged
         * @property {Array.<rehome.client.v1.GatewayFrame.$Properties>|null} [frames] GatewayPacket frames
         * @property {rehome.client.v1.Welcome.$Properties|null} [welcome] GatewayPacket welcome
         * @property {rehome.client.v1.Refused.$Properties|null} [refused] GatewayPacket refused
         * @property {rehome.client.v1.Ping.$Properties|null} [ping] GatewayPacket ping
         * @property {rehome.client.v1.GoingAway.$Properties|null} [goingAway] GatewayPacket goingAway
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a GatewayPacket.
         * @memberof rehome.client.v1
         * @interface IGatewayPacket
         * @augments rehome.client.v1.GatewayPacket.$Properties
         * @deprecated Use rehome.client.v1.GatewayPacket.$Properties instead.
         */

        /**
         * Shape of a GatewayPacket.
         * @typedef {{
         *   first?: number|null;
         *   acknowledged?: number|null;
         *   frames?: Array.<rehome.client.v1.GatewayFrame.$Shape>|null;
         *   welcome?: rehome.client.v1.Welcome.$Shape|null;
         *   refused?: rehome.client.v1.Refused.$Shape|null;
         *   ping?: rehome.client.v1.Ping.$Shape|null;
         *   goingAway?: rehome.client.v1.GoingAway.$Shape|null;
         *   $unknowns?: Array.<Uint8Array>;
         * }} rehome.client.v1.GatewayPacket.$Shape
         */

        /**
         * Constructs a new GatewayPacket.
         * @memberof rehome.client.v1
         * @classdesc Represents a GatewayPacket.
         * @constructor
         * @param {rehome.client.v1.GatewayPacket.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const GatewayPacket = function (properties) {
          this.frames = [];
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * GatewayPacket first.
         * @member {number} first
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.first = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * GatewayPacket acknowledged.
         * @member {number} acknowledged
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.acknowledged = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * GatewayPacket frames.
         * @member {Array.<rehome.client.v1.GatewayFrame.$Properties>} frames
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.frames = $util.emptyArray;

        /**
         * GatewayPacket welcome.
         * @member {rehome.client.v1.Welcome.$Properties|null|undefined} welcome
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.welcome = null;

        /**
         * GatewayPacket refused.
         * @member {rehome.client.v1.Refused.$Properties|null|undefined} refused
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.refused = null;

        /**
         * GatewayPacket ping.
         * @member {rehome.client.v1.Ping.$Properties|null|undefined} ping
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.ping = null;

        /**
         * GatewayPacket goingAway.
         * @member {rehome.client.v1.GoingAway.$Properties|null|undefined} goingAway
         * @memberof rehome.client.v1.GatewayPacket
         * @instance
         */
        GatewayPacket.prototype.goingAway = null;

        /**
         * Encodes the specified GatewayPacket message. Does not implicitly {@link rehome.client.v1.GatewayPacket.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.GatewayPacket
         * @static
         * @param {rehome.client.v1.GatewayPacket.$Properties} message GatewayPacket message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        GatewayPacket.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (
            message.first != null &&
            $Object.hasOwnProperty.call(message, "first") &&
            (typeof message.first === "object" ? message.first.low || message.first.high : message.first !== 0)
          )
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint64(message.first);
          if (
            message.acknowledged != null &&
            $Object.hasOwnProperty.call(message, "acknowledged") &&
            (typeof message.acknowledged === "object"
              ? message.acknowledged.low || message.acknowledged.high
              : message.acknowledged !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.acknowledged);
          if (message.frames != null && message.frames.length)
            for (let i = 0; i < message.frames.length; ++i)
              $root.rehome.client.v1.GatewayFrame.encode(
                message.frames[i],
                writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
                _depth + 1,
              ).ldelim();
          if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome"))
            $root.rehome.client.v1.Welcome.encode(
              message.welcome,
              writer.uint32(/* id 4, wireType 2 =*/ 34).fork(),
              _depth + 1,
            ).ldelim();
          if (message.refused != null && $Object.hasOwnProperty.call(message, "refused"))
            $root.rehome.client.v1.Refused.encode(
              message.refused,
              writer.uint32(/* id 5, wireType 2 =*/ 42).fork(),
              _depth + 1,
            ).ldelim();
          if (message.ping != null && $Object.hasOwnProperty.call(message, "ping"))
            $root.rehome.client.v1.Ping.encode(
              message.ping,
              writer.uint32(/* id 6, wireType 2 =*/ 50).fork(),
              _depth + 1,
            ).ldelim();
          if (message.goingAway != null && $Object.hasOwnProperty.call(message, "goingAway"))
            $root.rehome.client.v1.GoingAway.encode(
              message.goingAway,
              writer.uint32(/* id 7, wireType 2 =*/ 58).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a GatewayPacket message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.GatewayPacket
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.GatewayPacket & rehome.client.v1.GatewayPacket.$Shape} GatewayPacket
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        GatewayPacket.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.GatewayPacket();
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
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.first = value;
                else delete message.first;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.acknowledged = value;
                else delete message.acknowledged;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                if (!(message.frames && message.frames.length)) message.frames = [];
                message.frames.push(
                  $root.rehome.client.v1.GatewayFrame.decode(reader, reader.size(), $undefined, _depth + 1),
                );
                continue;
              }
              case 4: {
                if (wireType !== 2) break;
                message.welcome = $root.rehome.client.v1.Welcome.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.welcome,
                );
                continue;
              }
              case 5: {
                if (wireType !== 2) break;
                message.refused = $root.rehome.client.v1.Refused.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.refused,
                );
                continue;
              }
              case 6: {
                if (wireType !== 2) break;
                message.ping = $root.rehome.client.v1.Ping.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.ping,
                );
                continue;
              }
              case 7: {
                if (wireType !== 2) break;
                message.goingAway = $root.rehome.client.v1.GoingAway.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.goingAway,
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

        return GatewayPacket;
      })();

      v1.Welcome = (function () {
        /**
         * Properties of a Welcome.
         * @typedef {Object} rehome.client.v1.Welcome.$Properties
         * @property {number|null} [protocolVersion] Welcome protocolVersion
         * @property {Uint8Array|null} [session] Welcome session
         * @property {boolean|null} [resumed] Welcome resumed
         * @property {rehome.client.v1.Limits.$Properties|null} [limits] Welcome limits
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Welcome.
         * @memberof rehome.client.v1
         * @interface IWelcome
         * @augments rehome.client.v1.Welcome.$Properties
         * @deprecated Use rehome.client.v1.Welcome.$Properties instead.
         */

        /**
         * Shape of a Welcome.
         * @typedef {rehome.client.v1.Welcome.$Properties} rehome.client.v1.Welcome.$Shape
         */

        /**
         * Constructs a new Welcome.
         * @memberof rehome.client.v1
         * @classdesc Represents a Welcome.
         * @constructor
         * @param {rehome.client.v1.Welcome.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Welcome = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Welcome protocolVersion.
         * @member {number} protocolVersion
         * @memberof rehome.client.v1.Welcome
         * @instance
         */
        Welcome.prototype.protocolVersion = 0;

        /**
         * Welcome session.
         * @member {Uint8Array} session
         * @memberof rehome.client.v1.Welcome
         * @instance
         */
        Welcome.prototype.session = $util.newBuffer([]);

        /**
         * Welcome resumed.
         * @member {boolean} resumed
         * @memberof rehome.client.v1.Welcome
         * @instance
         */
        Welcome.prototype.resumed = false;

        /**
         * Welcome limits.
         * @member {rehome.client.v1.Limits.$Properties|null|undefined} limits
         * @memberof rehome.client.v1.Welcome
         * @instance
         */
        Welcome.prototype.limits = null;

        /**
         * Encodes the specified Welcome message. Does not implicitly {@link rehome.client.v1.Welcome.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Welcome
         * @static
         * @param {rehome.client.v1.Welcome.$Properties} message Welcome message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Welcome.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (
            message.protocolVersion != null &&
            $Object.hasOwnProperty.call(message, "protocolVersion") &&
            message.protocolVersion !== 0
          )
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.protocolVersion);
          if (message.session != null && $Object.hasOwnProperty.call(message, "session") && message.session.length)
            writer.uint32(/* id 2, wireType 2 =*/ 18).bytes(message.session);
          if (message.resumed != null && $Object.hasOwnProperty.call(message, "resumed") && message.resumed !== false)
            writer.uint32(/* id 3, wireType 0 =*/ 24).bool(message.resumed);
          if (message.limits != null && $Object.hasOwnProperty.call(message, "limits"))
            $root.rehome.client.v1.Limits.encode(
              message.limits,
              writer.uint32(/* id 4, wireType 2 =*/ 34).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Welcome message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Welcome
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Welcome & rehome.client.v1.Welcome.$Shape} Welcome
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Welcome.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Welcome();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.protocolVersion = value;
                else delete message.protocolVersion;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                if ((value = reader.bytes()).length) message.session = value;
                else delete message.session;
                continue;
              }
              case 3: {
                if (wireType !== 0) break;
                if ((value = reader.bool())) message.resumed = value;
                else delete message.resumed;
                continue;
              }
              case 4: {
                if (wireType !== 2) break;
                message.limits = $root.rehome.client.v1.Limits.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.limits,
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

        return Welcome;
      })();

      v1.Limits = (function () {
        /**
         * Properties of a Limits.
         * @typedef {Object} rehome.client.v1.Limits.$Properties
         * @property {number|null} [maxMessageBytes] Limits maxMessageBytes
         * @property {number|null} [windowFrames] Limits windowFrames
         * @property {number|null} [framesPerSecond] Limits framesPerSecond
         * @property {number|null} [burstFrames] Limits burstFrames
         * @property {number|null} [resumeGraceMs] Limits resumeGraceMs
         * @property {number|null} [silenceLimitMs] Limits silenceLimitMs
         * @property {number|null} [maxBindings] Limits maxBindings
         * @property {number|null} [maxOutstandingRequests] Limits maxOutstandingRequests
         * @property {number|null} [maxRequestTimeoutMs] Limits maxRequestTimeoutMs
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Limits.
         * @memberof rehome.client.v1
         * @interface ILimits
         * @augments rehome.client.v1.Limits.$Properties
         * @deprecated Use rehome.client.v1.Limits.$Properties instead.
         */

        /**
         * Shape of a Limits.
         * @typedef {rehome.client.v1.Limits.$Properties} rehome.client.v1.Limits.$Shape
         */

        /**
         * Constructs a new Limits.
         * @memberof rehome.client.v1
         * @classdesc Represents a Limits.
         * @constructor
         * @param {rehome.client.v1.Limits.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Limits = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Limits maxMessageBytes.
         * @member {number} maxMessageBytes
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.maxMessageBytes = 0;

        /**
         * Limits windowFrames.
         * @member {number} windowFrames
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.windowFrames = 0;

        /**
         * Limits framesPerSecond.
         * @member {number} framesPerSecond
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.framesPerSecond = 0;

        /**
         * Limits burstFrames.
         * @member {number} burstFrames
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.burstFrames = 0;

        /**
         * Limits resumeGraceMs.
         * @member {number} resumeGraceMs
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.resumeGraceMs = 0;

        /**
         * Limits silenceLimitMs.
         * @member {number} silenceLimitMs
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.silenceLimitMs = 0;

        /**
         * Limits maxBindings.
         * @member {number} maxBindings
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.maxBindings = 0;

        /**
         * Limits maxOutstandingRequests.
         * @member {number} maxOutstandingRequests
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.maxOutstandingRequests = 0;

        /**
         * Limits maxRequestTimeoutMs.
         * @member {number} maxRequestTimeoutMs
         * @memberof rehome.client.v1.Limits
         * @instance
         */
        Limits.prototype.maxRequestTimeoutMs = 0;

        /**
         * Encodes the specified Limits message. Does not implicitly {@link rehome.client.v1.Limits.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Limits
         * @static
         * @param {rehome.client.v1.Limits.$Properties} message Limits message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Limits.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (
            message.maxMessageBytes != null &&
            $Object.hasOwnProperty.call(message, "maxMessageBytes") &&
            message.maxMessageBytes !== 0
          )
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.maxMessageBytes);
          if (
            message.windowFrames != null &&
            $Object.hasOwnProperty.call(message, "windowFrames") &&
            message.windowFrames !== 0
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint32(message.windowFrames);
          if (
            message.framesPerSecond != null &&
            $Object.hasOwnProperty.call(message, "framesPerSecond") &&
            message.framesPerSecond !== 0
          )
            writer.uint32(/* id 3, wireType 0 =*/ 24).uint32(message.framesPerSecond);
          if (
            message.burstFrames != null &&
            $Object.hasOwnProperty.call(message, "burstFrames") &&
            message.burstFrames !== 0
          )
            writer.uint32(/* id 4, wireType 0 =*/ 32).uint32(message.burstFrames);
          if (
            message.resumeGraceMs != null &&
            $Object.hasOwnProperty.call(message, "resumeGraceMs") &&
            message.resumeGraceMs !== 0
          )
            writer.uint32(/* id 5, wireType 0 =*/ 40).uint32(message.resumeGraceMs);
          if (
            message.silenceLimitMs != null &&
            $Object.hasOwnProperty.call(message, "silenceLimitMs") &&
            message.silenceLimitMs !== 0
          )
            writer.uint32(/* id 6, wireType 0 =*/ 48).uint32(message.silenceLimitMs);
          if (
            message.maxBindings != null &&
            $Object.hasOwnProperty.call(message, "maxBindings") &&
            message.maxBindings !== 0
          )
            writer.uint32(/* id 7, wireType 0 =*/ 56).uint32(message.maxBindings);
          if (
            message.maxOutstandingRequests != null &&
            $Object.hasOwnProperty.call(message, "maxOutstandingRequests") &&
            message.maxOutstandingRequests !== 0
          )
            writer.uint32(/* id 8, wireType 0 =*/ 64).uint32(message.maxOutstandingRequests);
          if (
            message.maxRequestTimeoutMs != null &&
            $Object.hasOwnProperty.call(message, "maxRequestTimeoutMs") &&
            message.maxRequestTimeoutMs !== 0
          )
            writer.uint32(/* id 9, wireType 0 =*/ 72).uint32(message.maxRequestTimeoutMs);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Limits message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Limits
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Limits & rehome.client.v1.Limits.$Shape} Limits
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Limits.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Limits();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.maxMessageBytes = value;
                else delete message.maxMessageBytes;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.windowFrames = value;
                else delete message.windowFrames;
                continue;
              }
              case 3: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.framesPerSecond = value;
                else delete message.framesPerSecond;
                continue;
              }
              case 4: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.burstFrames = value;
                else delete message.burstFrames;
                continue;
              }
              case 5: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.resumeGraceMs = value;
                else delete message.resumeGraceMs;
                continue;
              }
              case 6: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.silenceLimitMs = value;
                else delete message.silenceLimitMs;
                continue;
              }
              case 7: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.maxBindings = value;
                else delete message.maxBindings;
                continue;
              }
              case 8: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.maxOutstandingRequests = value;
                else delete message.maxOutstandingRequests;
                continue;
              }
              case 9: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.maxRequestTimeoutMs = value;
                else delete message.maxRequestTimeoutMs;
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

        return Limits;
      })();

      v1.Refused = (function () {
        /**
         * Properties of a Refused.
         * @typedef {Object} rehome.client.v1.Refused.$Properties
         * @property {rehome.client.v1.Failure.$Properties|null} [failure] Refused failure
         * @property {number|null} [retryAfterMs] Refused retryAfterMs
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Refused.
         * @memberof rehome.client.v1
         * @interface IRefused
         * @augments rehome.client.v1.Refused.$Properties
         * @deprecated Use rehome.client.v1.Refused.$Properties instead.
         */

        /**
         * Shape of a Refused.
         * @typedef {rehome.client.v1.Refused.$Properties} rehome.client.v1.Refused.$Shape
         */

        /**
         * Constructs a new Refused.
         * @memberof rehome.client.v1
         * @classdesc Represents a Refused.
         * @constructor
         * @param {rehome.client.v1.Refused.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Refused = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Refused failure.
         * @member {rehome.client.v1.Failure.$Properties|null|undefined} failure
         * @memberof rehome.client.v1.Refused
         * @instance
         */
        Refused.prototype.failure = null;

        /**
         * Refused retryAfterMs.
         * @member {number|null|undefined} retryAfterMs
         * @memberof rehome.client.v1.Refused
         * @instance
         */
        Refused.prototype.retryAfterMs = null;

        // OneOf field names bound to virtual getters and setters
        let $oneOfFields;

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(Refused.prototype, "_retryAfterMs", {
          get: $util.oneOfGetter(($oneOfFields = ["retryAfterMs"])),
          set: $util.oneOfSetter($oneOfFields),
        });

        /**
         * Encodes the specified Refused message. Does not implicitly {@link rehome.client.v1.Refused.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Refused
         * @static
         * @param {rehome.client.v1.Refused.$Properties} message Refused message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Refused.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.failure != null && $Object.hasOwnProperty.call(message, "failure"))
            $root.rehome.client.v1.Failure.encode(
              message.failure,
              writer.uint32(/* id 1, wireType 2 =*/ 10).fork(),
              _depth + 1,
            ).ldelim();
          if (message.retryAfterMs != null && $Object.hasOwnProperty.call(message, "retryAfterMs"))
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint32(message.retryAfterMs);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Refused message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Refused
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Refused & rehome.client.v1.Refused.$Shape} Refused
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Refused.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Refused();
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
                message.failure = $root.rehome.client.v1.Failure.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.failure,
                );
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                message.retryAfterMs = reader.uint32();
                message._retryAfterMs = "retryAfterMs";
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

        return Refused;
      })();

      v1.Ping = (function () {
        /**
         * Properties of a Ping.
         * @typedef {Object} rehome.client.v1.Ping.$Properties
         * @property {number|null} [number] Ping number
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Ping.
         * @memberof rehome.client.v1
         * @interface IPing
         * @augments rehome.client.v1.Ping.$Properties
         * @deprecated Use rehome.client.v1.Ping.$Properties instead.
         */

        /**
         * Shape of a Ping.
         * @typedef {rehome.client.v1.Ping.$Properties} rehome.client.v1.Ping.$Shape
         */

        /**
         * Constructs a new Ping.
         * @memberof rehome.client.v1
         * @classdesc Represents a Ping.
         * @constructor
         * @param {rehome.client.v1.Ping.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Ping = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Ping number.
         * @member {number} number
         * @memberof rehome.client.v1.Ping
         * @instance
         */
        Ping.prototype.number = 0;

        /**
         * Encodes the specified Ping message. Does not implicitly {@link rehome.client.v1.Ping.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Ping
         * @static
         * @param {rehome.client.v1.Ping.$Properties} message Ping message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Ping.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.number != null && $Object.hasOwnProperty.call(message, "number") && message.number !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.number);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Ping message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Ping
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Ping & rehome.client.v1.Ping.$Shape} Ping
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Ping.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Ping();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.number = value;
                else delete message.number;
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

        return Ping;
      })();

      v1.GoingAway = (function () {
        /**
         * Properties of a GoingAway.
         * @typedef {Object} rehome.client.v1.GoingAway.$Properties
         * @property {number|null} [deadlineMs] GoingAway deadlineMs
         * @property {number|null} [spreadMs] GoingAway spreadMs
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a GoingAway.
         * @memberof rehome.client.v1
         * @interface IGoingAway
         * @augments rehome.client.v1.GoingAway.$Properties
         * @deprecated Use rehome.client.v1.GoingAway.$Properties instead.
         */

        /**
         * Shape of a GoingAway.
         * @typedef {rehome.client.v1.GoingAway.$Properties} rehome.client.v1.GoingAway.$Shape
         */

        /**
         * Constructs a new GoingAway.
         * @memberof rehome.client.v1
         * @classdesc Represents a GoingAway.
         * @constructor
         * @param {rehome.client.v1.GoingAway.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const GoingAway = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * GoingAway deadlineMs.
         * @member {number} deadlineMs
         * @memberof rehome.client.v1.GoingAway
         * @instance
         */
        GoingAway.prototype.deadlineMs = 0;

        /**
         * GoingAway spreadMs.
         * @member {number} spreadMs
         * @memberof rehome.client.v1.GoingAway
         * @instance
         */
        GoingAway.prototype.spreadMs = 0;

        /**
         * Encodes the specified GoingAway message. Does not implicitly {@link rehome.client.v1.GoingAway.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.GoingAway
         * @static
         * @param {rehome.client.v1.GoingAway.$Properties} message GoingAway message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        GoingAway.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (
            message.deadlineMs != null &&
            $Object.hasOwnProperty.call(message, "deadlineMs") &&
            message.deadlineMs !== 0
          )
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.deadlineMs);
          if (message.spreadMs != null && $Object.hasOwnProperty.call(message, "spreadMs") && message.spreadMs !== 0)
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint32(message.spreadMs);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a GoingAway message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.GoingAway
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.GoingAway & rehome.client.v1.GoingAway.$Shape} GoingAway
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        GoingAway.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.GoingAway();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.deadlineMs = value;
                else delete message.deadlineMs;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.spreadMs = value;
                else delete message.spreadMs;
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

        return GoingAway;
      })();

      v1.GatewayFrame = (function () {
        /**
         * Properties of a GatewayFrame.
         * @typedef {Object} rehome.client.v1.GatewayFrame.$Properties
         * @property {rehome.client.v1.Bound.$Properties|null} [bound] GatewayFrame bound
         * @property {rehome.client.v1.BindFailed.$Properties|null} [bindFailed] GatewayFrame bindFailed
         * @property {rehome.client.v1.Unbound.$Properties|null} [unbound] GatewayFrame unbound
         * @property {rehome.client.v1.Push.$Properties|null} [push] GatewayFrame push
         * @property {rehome.client.v1.Reply.$Properties|null} [reply] GatewayFrame reply
         * @property {rehome.client.v1.SendRefused.$Properties|null} [sendRefused] GatewayFrame sendRefused
         * @property {rehome.client.v1.BindingLost.$Properties|null} [bindingLost] GatewayFrame bindingLost
         * @property {"bound"|"bindFailed"|"unbound"|"push"|"reply"|"sendRefused"|"bindingLost"} [kind] GatewayFrame kind
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a GatewayFrame.
         * @memberof rehome.client.v1
         * @interface IGatewayFrame
         * @augments rehome.client.v1.GatewayFrame.$Properties
         * @deprecated Use rehome.client.v1.GatewayFrame.$Properties instead.
         */

        /**
         * Narrowed shape of a GatewayFrame.
         * @typedef {{
         *   bound?: rehome.client.v1.Bound.$Shape|null;
         *   bindFailed?: rehome.client.v1.BindFailed.$Shape|null;
         *   unbound?: rehome.client.v1.Unbound.$Shape|null;
         *   push?: rehome.client.v1.Push.$Shape|null;
         *   reply?: rehome.client.v1.Reply.$Shape|null;
         *   sendRefused?: rehome.client.v1.SendRefused.$Shape|null;
         *   bindingLost?: rehome.client.v1.BindingLost.$Shape|null;
         *   $unknowns?: Array.<Uint8Array>;
         * } & (
         *   ({ kind?: undefined; bound?: null; bindFailed?: null; unbound?: null; push?: null; reply?: null; sendRefused?: null; bindingLost?: null }|{ kind?: "bound"; bound: rehome.client.v1.Bound.$Shape; bindFailed?: null; unbound?: null; push?: null; reply?: null; sendRefused?: null; bindingLost?: null }|{ kind?: "bindFailed"; bound?: null; bindFailed: rehome.client.v1.BindFailed.$Shape; unbound?: null; push?: null; reply?: null; sendRefused?: null; bindingLost?: null }|{ kind?: "unbound"; bound?: null; bindFailed?: null; unbound: rehome.client.v1.Unbound.$Shape; push?: null; reply?: null; sendRefused?: null; bindingLost?: null }|{ kind?: "push"; bound?: null; bindFailed?: null; unbound?: null; push: rehome.client.v1.Push.$Shape; reply?: null; sendRefused?: null; bindingLost?: null }|{ kind?: "reply"; bound?: null; bindFailed?: null; unbound?: null; push?: null; reply: rehome.client.v1.Reply.$Shape; sendRefused?: null; bindingLost?: null }|{ kind?: "sendRefused"; bound?: null; bindFailed?: null; unbound?: null; push?: null; reply?: null; sendRefused: rehome.client.v1.SendRefused.$Shape; bindingLost?: null }|{ kind?: "bindingLost"; bound?: null; bindFailed?: null; unbound?: null; push?: null; reply?: null; sendRefused?: null; bindingLost: rehome.client.v1.BindingLost.$Shape })
         * )} rehome.client.v1.GatewayFrame.$Shape
         */

        /**
         * Constructs a new GatewayFrame.
         * @memberof rehome.client.v1
         * @classdesc Represents a GatewayFrame.
         * @constructor
         * @param {rehome.client.v1.GatewayFrame.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const GatewayFrame = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * GatewayFrame bound.
         * @member {rehome.client.v1.Bound.$Properties|null|undefined} bound
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.bound = null;

        /**
         * GatewayFrame bindFailed.
         * @member {rehome.client.v1.BindFailed.$Properties|null|undefined} bindFailed
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.bindFailed = null;

        /**
         * GatewayFrame unbound.
         * @member {rehome.client.v1.Unbound.$Properties|null|undefined} unbound
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.unbound = null;

        /**
         * GatewayFrame push.
         * @member {rehome.client.v1.Push.$Properties|null|undefined} push
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.push = null;

        /**
         * GatewayFrame reply.
         * @member {rehome.client.v1.Reply.$Properties|null|undefined} reply
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.reply = null;

        /**
         * GatewayFrame sendRefused.
         * @member {rehome.client.v1.SendRefused.$Properties|null|undefined} sendRefused
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.sendRefused = null;

        /**
         * GatewayFrame bindingLost.
         * @member {rehome.client.v1.BindingLost.$Properties|null|undefined} bindingLost
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        GatewayFrame.prototype.bindingLost = null;

        // OneOf field names bound to virtual getters and setters
        let $oneOfFields;

        /**
         * GatewayFrame kind.
         * @member {"bound"|"bindFailed"|"unbound"|"push"|"reply"|"sendRefused"|"bindingLost"|undefined} kind
         * @memberof rehome.client.v1.GatewayFrame
         * @instance
         */
        $Object.defineProperty(GatewayFrame.prototype, "kind", {
          get: $util.oneOfGetter(
            ($oneOfFields = ["bound", "bindFailed", "unbound", "push", "reply", "sendRefused", "bindingLost"]),
          ),
          set: $util.oneOfSetter($oneOfFields),
        });

        /**
         * Encodes the specified GatewayFrame message. Does not implicitly {@link rehome.client.v1.GatewayFrame.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.GatewayFrame
         * @static
         * @param {rehome.client.v1.GatewayFrame.$Properties} message GatewayFrame message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        GatewayFrame.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.bound != null && $Object.hasOwnProperty.call(message, "bound"))
            $root.rehome.client.v1.Bound.encode(
              message.bound,
              writer.uint32(/* id 1, wireType 2 =*/ 10).fork(),
              _depth + 1,
            ).ldelim();
          if (message.bindFailed != null && $Object.hasOwnProperty.call(message, "bindFailed"))
            $root.rehome.client.v1.BindFailed.encode(
              message.bindFailed,
              writer.uint32(/* id 2, wireType 2 =*/ 18).fork(),
              _depth + 1,
            ).ldelim();
          if (message.unbound != null && $Object.hasOwnProperty.call(message, "unbound"))
            $root.rehome.client.v1.Unbound.encode(
              message.unbound,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.push != null && $Object.hasOwnProperty.call(message, "push"))
            $root.rehome.client.v1.Push.encode(
              message.push,
              writer.uint32(/* id 4, wireType 2 =*/ 34).fork(),
              _depth + 1,
            ).ldelim();
          if (message.reply != null && $Object.hasOwnProperty.call(message, "reply"))
            $root.rehome.client.v1.Reply.encode(
              message.reply,
              writer.uint32(/* id 5, wireType 2 =*/ 42).fork(),
              _depth + 1,
            ).ldelim();
          if (message.sendRefused != null && $Object.hasOwnProperty.call(message, "sendRefused"))
            $root.rehome.client.v1.SendRefused.encode(
              message.sendRefused,
              writer.uint32(/* id 6, wireType 2 =*/ 50).fork(),
              _depth + 1,
            ).ldelim();
          if (message.bindingLost != null && $Object.hasOwnProperty.call(message, "bindingLost"))
            $root.rehome.client.v1.BindingLost.encode(
              message.bindingLost,
              writer.uint32(/* id 7, wireType 2 =*/ 58).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a GatewayFrame message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.GatewayFrame
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.GatewayFrame & rehome.client.v1.GatewayFrame.$Shape} GatewayFrame
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        GatewayFrame.decode = function (reader, length, _end, _depth, _target) {
          if (!(reader instanceof $Reader)) reader = $Reader.create(reader);
          if (_depth === $undefined) _depth = 0;
          if (_depth > $Reader.recursionLimit) throw $Error("max depth exceeded");
          let end, message;
          if (length === $undefined) end = reader.len;
          else {
            end = reader.pos + length;
            if (end > reader.len) throw $RangeError("index out of range");
            length = reader.len;
            reader.len = end;
          }
          message = _target || new $root.rehome.client.v1.GatewayFrame();
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
                message.bound = $root.rehome.client.v1.Bound.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.bound,
                );
                message.kind = "bound";
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                message.bindFailed = $root.rehome.client.v1.BindFailed.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.bindFailed,
                );
                message.kind = "bindFailed";
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.unbound = $root.rehome.client.v1.Unbound.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.unbound,
                );
                message.kind = "unbound";
                continue;
              }
              case 4: {
                if (wireType !== 2) break;
                message.push = $root.rehome.client.v1.Push.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.push,
                );
                message.kind = "push";
                continue;
              }
              case 5: {
                if (wireType !== 2) break;
                message.reply = $root.rehome.client.v1.Reply.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.reply,
                );
                message.kind = "reply";
                continue;
              }
              case 6: {
                if (wireType !== 2) break;
                message.sendRefused = $root.rehome.client.v1.SendRefused.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.sendRefused,
                );
                message.kind = "sendRefused";
                continue;
              }
              case 7: {
                if (wireType !== 2) break;
                message.bindingLost = $root.rehome.client.v1.BindingLost.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.bindingLost,
                );
                message.kind = "bindingLost";
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

        return GatewayFrame;
      })();

      v1.Bound = (function () {
        /**
         * Properties of a Bound.
         * @typedef {Object} rehome.client.v1.Bound.$Properties
         * @property {number|null} [binding] Bound binding
         * @property {boolean|null} [created] Bound created
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Bound.
         * @memberof rehome.client.v1
         * @interface IBound
         * @augments rehome.client.v1.Bound.$Properties
         * @deprecated Use rehome.client.v1.Bound.$Properties instead.
         */

        /**
         * Shape of a Bound.
         * @typedef {rehome.client.v1.Bound.$Properties} rehome.client.v1.Bound.$Shape
         */

        /**
         * Constructs a new Bound.
         * @memberof rehome.client.v1
         * @classdesc Represents a Bound.
         * @constructor
         * @param {rehome.client.v1.Bound.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Bound = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Bound binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Bound
         * @instance
         */
        Bound.prototype.binding = 0;

        /**
         * Bound created.
         * @member {boolean} created
         * @memberof rehome.client.v1.Bound
         * @instance
         */
        Bound.prototype.created = false;

        /**
         * Encodes the specified Bound message. Does not implicitly {@link rehome.client.v1.Bound.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Bound
         * @static
         * @param {rehome.client.v1.Bound.$Properties} message Bound message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Bound.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (message.created != null && $Object.hasOwnProperty.call(message, "created") && message.created !== false)
            writer.uint32(/* id 2, wireType 0 =*/ 16).bool(message.created);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Bound message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Bound
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Bound & rehome.client.v1.Bound.$Shape} Bound
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Bound.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Bound();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if ((value = reader.bool())) message.created = value;
                else delete message.created;
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

        return Bound;
      })();

      v1.BindFailed = (function () {
        /**
         * Properties of a BindFailed.
         * @typedef {Object} rehome.client.v1.BindFailed.$Properties
         * @property {number|null} [binding] BindFailed binding
         * @property {rehome.client.v1.Failure.$Properties|null} [failure] BindFailed failure
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a BindFailed.
         * @memberof rehome.client.v1
         * @interface IBindFailed
         * @augments rehome.client.v1.BindFailed.$Properties
         * @deprecated Use rehome.client.v1.BindFailed.$Properties instead.
         */

        /**
         * Shape of a BindFailed.
         * @typedef {rehome.client.v1.BindFailed.$Properties} rehome.client.v1.BindFailed.$Shape
         */

        /**
         * Constructs a new BindFailed.
         * @memberof rehome.client.v1
         * @classdesc Represents a BindFailed.
         * @constructor
         * @param {rehome.client.v1.BindFailed.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const BindFailed = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * BindFailed binding.
         * @member {number} binding
         * @memberof rehome.client.v1.BindFailed
         * @instance
         */
        BindFailed.prototype.binding = 0;

        /**
         * BindFailed failure.
         * @member {rehome.client.v1.Failure.$Properties|null|undefined} failure
         * @memberof rehome.client.v1.BindFailed
         * @instance
         */
        BindFailed.prototype.failure = null;

        /**
         * Encodes the specified BindFailed message. Does not implicitly {@link rehome.client.v1.BindFailed.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.BindFailed
         * @static
         * @param {rehome.client.v1.BindFailed.$Properties} message BindFailed message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        BindFailed.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (message.failure != null && $Object.hasOwnProperty.call(message, "failure"))
            $root.rehome.client.v1.Failure.encode(
              message.failure,
              writer.uint32(/* id 2, wireType 2 =*/ 18).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a BindFailed message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.BindFailed
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.BindFailed & rehome.client.v1.BindFailed.$Shape} BindFailed
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        BindFailed.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.BindFailed();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                message.failure = $root.rehome.client.v1.Failure.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.failure,
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

        return BindFailed;
      })();

      v1.Unbound = (function () {
        /**
         * Properties of an Unbound.
         * @typedef {Object} rehome.client.v1.Unbound.$Properties
         * @property {number|null} [binding] Unbound binding
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of an Unbound.
         * @memberof rehome.client.v1
         * @interface IUnbound
         * @augments rehome.client.v1.Unbound.$Properties
         * @deprecated Use rehome.client.v1.Unbound.$Properties instead.
         */

        /**
         * Shape of an Unbound.
         * @typedef {rehome.client.v1.Unbound.$Properties} rehome.client.v1.Unbound.$Shape
         */

        /**
         * Constructs a new Unbound.
         * @memberof rehome.client.v1
         * @classdesc Represents an Unbound.
         * @constructor
         * @param {rehome.client.v1.Unbound.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Unbound = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Unbound binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Unbound
         * @instance
         */
        Unbound.prototype.binding = 0;

        /**
         * Encodes the specified Unbound message. Does not implicitly {@link rehome.client.v1.Unbound.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Unbound
         * @static
         * @param {rehome.client.v1.Unbound.$Properties} message Unbound message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Unbound.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes an Unbound message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Unbound
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Unbound & rehome.client.v1.Unbound.$Shape} Unbound
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Unbound.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Unbound();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
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

        return Unbound;
      })();

      v1.Push = (function () {
        /**
         * Properties of a Push.
         * @typedef {Object} rehome.client.v1.Push.$Properties
         * @property {number|null} [binding] Push binding
         * @property {rehome.client.v1.Payload.$Properties|null} [payload] Push payload
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Push.
         * @memberof rehome.client.v1
         * @interface IPush
         * @augments rehome.client.v1.Push.$Properties
         * @deprecated Use rehome.client.v1.Push.$Properties instead.
         */

        /**
         * Shape of a Push.
         * @typedef {rehome.client.v1.Push.$Properties} rehome.client.v1.Push.$Shape
         */

        /**
         * Constructs a new Push.
         * @memberof rehome.client.v1
         * @classdesc Represents a Push.
         * @constructor
         * @param {rehome.client.v1.Push.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Push = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Push binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Push
         * @instance
         */
        Push.prototype.binding = 0;

        /**
         * Push payload.
         * @member {rehome.client.v1.Payload.$Properties|null|undefined} payload
         * @memberof rehome.client.v1.Push
         * @instance
         */
        Push.prototype.payload = null;

        /**
         * Encodes the specified Push message. Does not implicitly {@link rehome.client.v1.Push.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Push
         * @static
         * @param {rehome.client.v1.Push.$Properties} message Push message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Push.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (message.payload != null && $Object.hasOwnProperty.call(message, "payload"))
            $root.rehome.client.v1.Payload.encode(
              message.payload,
              writer.uint32(/* id 2, wireType 2 =*/ 18).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Push message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Push
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Push & rehome.client.v1.Push.$Shape} Push
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Push.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Push();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                message.payload = $root.rehome.client.v1.Payload.decode(
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

        return Push;
      })();

      v1.Reply = (function () {
        /**
         * Properties of a Reply.
         * @typedef {Object} rehome.client.v1.Reply.$Properties
         * @property {number|null} [binding] Reply binding
         * @property {number|null} [sequence] Reply sequence
         * @property {rehome.client.v1.Payload.$Properties|null} [payload] Reply payload
         * @property {rehome.client.v1.Failure.$Properties|null} [failure] Reply failure
         * @property {"payload"|"failure"} [result] Reply result
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Reply.
         * @memberof rehome.client.v1
         * @interface IReply
         * @augments rehome.client.v1.Reply.$Properties
         * @deprecated Use rehome.client.v1.Reply.$Properties instead.
         */

        /**
         * Narrowed shape of a Reply.
         * @typedef {{
         *   binding?: number|null;
         *   sequence?: number|null;
         *   payload?: rehome.client.v1.Payload.$Shape|null;
         *   failure?: rehome.client.v1.Failure.$Shape|null;
         *   $unknowns?: Array.<Uint8Array>;
         * } & (
         *   ({ result?: undefined; payload?: null; failure?: null }|{ result?: "payload"; payload: rehome.client.v1.Payload.$Shape; failure?: null }|{ result?: "failure"; payload?: null; failure: rehome.client.v1.Failure.$Shape })
         * )} rehome.client.v1.Reply.$Shape
         */

        /**
         * Constructs a new Reply.
         * @memberof rehome.client.v1
         * @classdesc Represents a Reply.
         * @constructor
         * @param {rehome.client.v1.Reply.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Reply = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Reply binding.
         * @member {number} binding
         * @memberof rehome.client.v1.Reply
         * @instance
         */
        Reply.prototype.binding = 0;

        /**
         * Reply sequence.
         * @member {number} sequence
         * @memberof rehome.client.v1.Reply
         * @instance
         */
        Reply.prototype.sequence = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * Reply payload.
         * @member {rehome.client.v1.Payload.$Properties|null|undefined} payload
         * @memberof rehome.client.v1.Reply
         * @instance
         */
        Reply.prototype.payload = null;

        /**
         * Reply failure.
         * @member {rehome.client.v1.Failure.$Properties|null|undefined} failure
         * @memberof rehome.client.v1.Reply
         * @instance
         */
        Reply.prototype.failure = null;

        // OneOf field names bound to virtual getters and setters
        let $oneOfFields;

        /**
         * Reply result.
         * @member {"payload"|"failure"|undefined} result
         * @memberof rehome.client.v1.Reply
         * @instance
         */
        $Object.defineProperty(Reply.prototype, "result", {
          get: $util.oneOfGetter(($oneOfFields = ["payload", "failure"])),
          set: $util.oneOfSetter($oneOfFields),
        });

        /**
         * Encodes the specified Reply message. Does not implicitly {@link rehome.client.v1.Reply.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Reply
         * @static
         * @param {rehome.client.v1.Reply.$Properties} message Reply message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Reply.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (
            message.sequence != null &&
            $Object.hasOwnProperty.call(message, "sequence") &&
            (typeof message.sequence === "object"
              ? message.sequence.low || message.sequence.high
              : message.sequence !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.sequence);
          if (message.payload != null && $Object.hasOwnProperty.call(message, "payload"))
            $root.rehome.client.v1.Payload.encode(
              message.payload,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.failure != null && $Object.hasOwnProperty.call(message, "failure"))
            $root.rehome.client.v1.Failure.encode(
              message.failure,
              writer.uint32(/* id 4, wireType 2 =*/ 34).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Reply message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Reply
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Reply & rehome.client.v1.Reply.$Shape} Reply
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Reply.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Reply();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.sequence = value;
                else delete message.sequence;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.payload = $root.rehome.client.v1.Payload.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.payload,
                );
                message.result = "payload";
                continue;
              }
              case 4: {
                if (wireType !== 2) break;
                message.failure = $root.rehome.client.v1.Failure.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.failure,
                );
                message.result = "failure";
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

        return Reply;
      })();

      v1.SendRefused = (function () {
        /**
         * Properties of a SendRefused.
         * @typedef {Object} rehome.client.v1.SendRefused.$Properties
         * @property {number|null} [binding] SendRefused binding
         * @property {number|null} [sequence] SendRefused sequence
         * @property {rehome.client.v1.Failure.$Properties|null} [failure] SendRefused failure
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a SendRefused.
         * @memberof rehome.client.v1
         * @interface ISendRefused
         * @augments rehome.client.v1.SendRefused.$Properties
         * @deprecated Use rehome.client.v1.SendRefused.$Properties instead.
         */

        /**
         * Shape of a SendRefused.
         * @typedef {rehome.client.v1.SendRefused.$Properties} rehome.client.v1.SendRefused.$Shape
         */

        /**
         * Constructs a new SendRefused.
         * @memberof rehome.client.v1
         * @classdesc Represents a SendRefused.
         * @constructor
         * @param {rehome.client.v1.SendRefused.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const SendRefused = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * SendRefused binding.
         * @member {number} binding
         * @memberof rehome.client.v1.SendRefused
         * @instance
         */
        SendRefused.prototype.binding = 0;

        /**
         * SendRefused sequence.
         * @member {number} sequence
         * @memberof rehome.client.v1.SendRefused
         * @instance
         */
        SendRefused.prototype.sequence = $util.Long ? $util.Long.fromBits(0, 0, true) : 0;

        /**
         * SendRefused failure.
         * @member {rehome.client.v1.Failure.$Properties|null|undefined} failure
         * @memberof rehome.client.v1.SendRefused
         * @instance
         */
        SendRefused.prototype.failure = null;

        /**
         * Encodes the specified SendRefused message. Does not implicitly {@link rehome.client.v1.SendRefused.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.SendRefused
         * @static
         * @param {rehome.client.v1.SendRefused.$Properties} message SendRefused message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        SendRefused.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (
            message.sequence != null &&
            $Object.hasOwnProperty.call(message, "sequence") &&
            (typeof message.sequence === "object"
              ? message.sequence.low || message.sequence.high
              : message.sequence !== 0)
          )
            writer.uint32(/* id 2, wireType 0 =*/ 16).uint64(message.sequence);
          if (message.failure != null && $Object.hasOwnProperty.call(message, "failure"))
            $root.rehome.client.v1.Failure.encode(
              message.failure,
              writer.uint32(/* id 3, wireType 2 =*/ 26).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a SendRefused message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.SendRefused
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.SendRefused & rehome.client.v1.SendRefused.$Shape} SendRefused
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        SendRefused.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.SendRefused();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 0) break;
                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                  message.sequence = value;
                else delete message.sequence;
                continue;
              }
              case 3: {
                if (wireType !== 2) break;
                message.failure = $root.rehome.client.v1.Failure.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.failure,
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

        return SendRefused;
      })();

      v1.BindingLost = (function () {
        /**
         * Properties of a BindingLost.
         * @typedef {Object} rehome.client.v1.BindingLost.$Properties
         * @property {number|null} [binding] BindingLost binding
         * @property {rehome.client.v1.Failure.$Properties|null} [failure] BindingLost failure
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a BindingLost.
         * @memberof rehome.client.v1
         * @interface IBindingLost
         * @augments rehome.client.v1.BindingLost.$Properties
         * @deprecated Use rehome.client.v1.BindingLost.$Properties instead.
         */

        /**
         * Shape of a BindingLost.
         * @typedef {rehome.client.v1.BindingLost.$Properties} rehome.client.v1.BindingLost.$Shape
         */

        /**
         * Constructs a new BindingLost.
         * @memberof rehome.client.v1
         * @classdesc Represents a BindingLost.
         * @constructor
         * @param {rehome.client.v1.BindingLost.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const BindingLost = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * BindingLost binding.
         * @member {number} binding
         * @memberof rehome.client.v1.BindingLost
         * @instance
         */
        BindingLost.prototype.binding = 0;

        /**
         * BindingLost failure.
         * @member {rehome.client.v1.Failure.$Properties|null|undefined} failure
         * @memberof rehome.client.v1.BindingLost
         * @instance
         */
        BindingLost.prototype.failure = null;

        /**
         * Encodes the specified BindingLost message. Does not implicitly {@link rehome.client.v1.BindingLost.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.BindingLost
         * @static
         * @param {rehome.client.v1.BindingLost.$Properties} message BindingLost message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        BindingLost.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.binding != null && $Object.hasOwnProperty.call(message, "binding") && message.binding !== 0)
            writer.uint32(/* id 1, wireType 0 =*/ 8).uint32(message.binding);
          if (message.failure != null && $Object.hasOwnProperty.call(message, "failure"))
            $root.rehome.client.v1.Failure.encode(
              message.failure,
              writer.uint32(/* id 2, wireType 2 =*/ 18).fork(),
              _depth + 1,
            ).ldelim();
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a BindingLost message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.BindingLost
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.BindingLost & rehome.client.v1.BindingLost.$Shape} BindingLost
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        BindingLost.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.BindingLost();
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
                if (wireType !== 0) break;
                if ((value = reader.uint32())) message.binding = value;
                else delete message.binding;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                message.failure = $root.rehome.client.v1.Failure.decode(
                  reader,
                  reader.size(),
                  $undefined,
                  _depth + 1,
                  message.failure,
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

        return BindingLost;
      })();

      v1.Payload = (function () {
        /**
         * Properties of a Payload.
         * @typedef {Object} rehome.client.v1.Payload.$Properties
         * @property {string|null} [name] Payload name
         * @property {string|null} [contentType] Payload contentType
         * @property {Uint8Array|null} [data] Payload data
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Payload.
         * @memberof rehome.client.v1
         * @interface IPayload
         * @augments rehome.client.v1.Payload.$Properties
         * @deprecated Use rehome.client.v1.Payload.$Properties instead.
         */

        /**
         * Shape of a Payload.
         * @typedef {rehome.client.v1.Payload.$Properties} rehome.client.v1.Payload.$Shape
         */

        /**
         * Constructs a new Payload.
         * @memberof rehome.client.v1
         * @classdesc Represents a Payload.
         * @constructor
         * @param {rehome.client.v1.Payload.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Payload = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Payload name.
         * @member {string} name
         * @memberof rehome.client.v1.Payload
         * @instance
         */
        Payload.prototype.name = "";

        /**
         * Payload contentType.
         * @member {string|null|undefined} contentType
         * @memberof rehome.client.v1.Payload
         * @instance
         */
        Payload.prototype.contentType = null;

        /**
         * Payload data.
         * @member {Uint8Array} data
         * @memberof rehome.client.v1.Payload
         * @instance
         */
        Payload.prototype.data = $util.newBuffer([]);

        // OneOf field names bound to virtual getters and setters
        let $oneOfFields;

        // Virtual OneOf for proto3 optional field
        $Object.defineProperty(Payload.prototype, "_contentType", {
          get: $util.oneOfGetter(($oneOfFields = ["contentType"])),
          set: $util.oneOfSetter($oneOfFields),
        });

        /**
         * Encodes the specified Payload message. Does not implicitly {@link rehome.client.v1.Payload.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Payload
         * @static
         * @param {rehome.client.v1.Payload.$Properties} message Payload message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Payload.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
            writer.uint32(/* id 1, wireType 2 =*/ 10).string(message.name);
          if (message.contentType != null && $Object.hasOwnProperty.call(message, "contentType"))
            writer.uint32(/* id 2, wireType 2 =*/ 18).string(message.contentType);
          if (message.data != null && $Object.hasOwnProperty.call(message, "data") && message.data.length)
            writer.uint32(/* id 3, wireType 2 =*/ 26).bytes(message.data);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Payload message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Payload
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Payload & rehome.client.v1.Payload.$Shape} Payload
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
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
          message = _target || new $root.rehome.client.v1.Payload();
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
                if ((value = reader.stringVerify()).length) message.name = value;
                else delete message.name;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                message.contentType = reader.stringVerify();
                message._contentType = "contentType";
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

      v1.Failure = (function () {
        /**
         * Properties of a Failure.
         * @typedef {Object} rehome.client.v1.Failure.$Properties
         * @property {string|null} [code] Failure code
         * @property {string|null} [message] Failure message
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */

        /**
         * Properties of a Failure.
         * @memberof rehome.client.v1
         * @interface IFailure
         * @augments rehome.client.v1.Failure.$Properties
         * @deprecated Use rehome.client.v1.Failure.$Properties instead.
         */

        /**
         * Shape of a Failure.
         * @typedef {rehome.client.v1.Failure.$Properties} rehome.client.v1.Failure.$Shape
         */

        /**
         * Constructs a new Failure.
         * @memberof rehome.client.v1
         * @classdesc Represents a Failure.
         * @constructor
         * @param {rehome.client.v1.Failure.$Properties=} [properties] Properties to set
         * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
         */
        const Failure = function (properties) {
          if (properties)
            for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
              if (properties[keys[i]] != null && keys[i] !== "__proto__") this[keys[i]] = properties[keys[i]];
        };

        /**
         * Failure code.
         * @member {string} code
         * @memberof rehome.client.v1.Failure
         * @instance
         */
        Failure.prototype.code = "";

        /**
         * Failure message.
         * @member {string} message
         * @memberof rehome.client.v1.Failure
         * @instance
         */
        Failure.prototype.message = "";

        /**
         * Encodes the specified Failure message. Does not implicitly {@link rehome.client.v1.Failure.verify|verify} messages.
         * @function encode
         * @memberof rehome.client.v1.Failure
         * @static
         * @param {rehome.client.v1.Failure.$Properties} message Failure message or plain object to encode
         * @param {$protobuf.Writer} [writer] Writer to encode to
         * @returns {$protobuf.Writer} Writer
         */
        Failure.encode = function (message, writer, _depth) {
          if (!writer) writer = $Writer.create();
          if (_depth === $undefined) _depth = 0;
          if (_depth > $util.recursionLimit) throw $Error("max depth exceeded");
          if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== "")
            writer.uint32(/* id 1, wireType 2 =*/ 10).string(message.code);
          if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
            writer.uint32(/* id 2, wireType 2 =*/ 18).string(message.message);
          if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
            for (let i = 0; i < message.$unknowns.length; ++i) writer.raw(message.$unknowns[i]);
          return writer;
        };

        /**
         * Decodes a Failure message from the specified reader or buffer.
         * @function decode
         * @memberof rehome.client.v1.Failure
         * @static
         * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
         * @param {number} [length] Message length if known beforehand
         * @returns {rehome.client.v1.Failure & rehome.client.v1.Failure.$Shape} Failure
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        Failure.decode = function (reader, length, _end, _depth, _target) {
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
          message = _target || new $root.rehome.client.v1.Failure();
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
                if ((value = reader.stringVerify()).length) message.code = value;
                else delete message.code;
                continue;
              }
              case 2: {
                if (wireType !== 2) break;
                if ((value = reader.stringVerify()).length) message.message = value;
                else delete message.message;
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

        return Failure;
      })();

      return v1;
    })();

    return client;
  })();

  return rehome;
})());

export { $root as default };
