// Made by scripts/proto.mjs from proto/client.proto. Do not edit.
/* eslint-disable */
import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");

/** Namespace rehome. */
export namespace rehome {
  /** Namespace client. */
  namespace client {
    /** Namespace v1. */
    namespace v1 {
      /**
       * Properties of a ClientPacket.
       * @deprecated Use rehome.client.v1.ClientPacket.$Properties instead.
       */
      interface IClientPacket extends rehome.client.v1.ClientPacket.$Properties {}

      /** Represents a ClientPacket. */
      class ClientPacket {
        /**
         * Constructs a new ClientPacket.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.ClientPacket.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** ClientPacket first. */
        first: number;

        /** ClientPacket acknowledged. */
        acknowledged: number;

        /** ClientPacket frames. */
        frames: rehome.client.v1.ClientFrame.$Properties[];

        /** ClientPacket hello. */
        hello?: rehome.client.v1.Hello.$Properties | null;

        /** ClientPacket pong. */
        pong?: rehome.client.v1.Pong.$Properties | null;

        /** ClientPacket goodbye. */
        goodbye?: rehome.client.v1.Goodbye.$Properties | null;

        /**
         * Encodes the specified ClientPacket message. Does not implicitly {@link rehome.client.v1.ClientPacket.verify|verify} messages.
         * @param message ClientPacket message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.ClientPacket.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a ClientPacket message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.ClientPacket & rehome.client.v1.ClientPacket.$Shape} ClientPacket
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.ClientPacket & rehome.client.v1.ClientPacket.$Shape;
      }

      namespace ClientPacket {
        /** Properties of a ClientPacket. */
        interface $Properties {
          /** ClientPacket first */
          first?: number | null;

          /** ClientPacket acknowledged */
          acknowledged?: number | null;

          /** ClientPacket frames */
          frames?: rehome.client.v1.ClientFrame.$Properties[] | null;

          /** ClientPacket hello */
          hello?: rehome.client.v1.Hello.$Properties | null;

          /** ClientPacket pong */
          pong?: rehome.client.v1.Pong.$Properties | null;

          /** ClientPacket goodbye */
          goodbye?: rehome.client.v1.Goodbye.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a ClientPacket. */
        type $Shape = {
          first?: number | null;
          acknowledged?: number | null;
          frames?: rehome.client.v1.ClientFrame.$Shape[] | null;
          hello?: rehome.client.v1.Hello.$Shape | null;
          pong?: rehome.client.v1.Pong.$Shape | null;
          goodbye?: rehome.client.v1.Goodbye.$Shape | null;
          $unknowns?: Uint8Array[];
        };
      }

      /**
       * Properties of a Hello.
       * @deprecated Use rehome.client.v1.Hello.$Properties instead.
       */
      interface IHello extends rehome.client.v1.Hello.$Properties {}

      /** Represents a Hello. */
      class Hello {
        /**
         * Constructs a new Hello.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Hello.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Hello protocolVersion. */
        protocolVersion: number;

        /** Hello token. */
        token: string;

        /** Hello resume. */
        resume?: rehome.client.v1.Resume.$Properties | null;

        /**
         * Encodes the specified Hello message. Does not implicitly {@link rehome.client.v1.Hello.verify|verify} messages.
         * @param message Hello message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Hello.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Hello message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Hello & rehome.client.v1.Hello.$Shape} Hello
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Hello & rehome.client.v1.Hello.$Shape;
      }

      namespace Hello {
        /** Properties of a Hello. */
        interface $Properties {
          /** Hello protocolVersion */
          protocolVersion?: number | null;

          /** Hello token */
          token?: string | null;

          /** Hello resume */
          resume?: rehome.client.v1.Resume.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Hello. */
        type $Shape = rehome.client.v1.Hello.$Properties;
      }

      /**
       * Properties of a Resume.
       * @deprecated Use rehome.client.v1.Resume.$Properties instead.
       */
      interface IResume extends rehome.client.v1.Resume.$Properties {}

      /** Represents a Resume. */
      class Resume {
        /**
         * Constructs a new Resume.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Resume.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Resume session. */
        session: Uint8Array;

        /** Resume received. */
        received: number;

        /**
         * Encodes the specified Resume message. Does not implicitly {@link rehome.client.v1.Resume.verify|verify} messages.
         * @param message Resume message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Resume.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Resume message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Resume & rehome.client.v1.Resume.$Shape} Resume
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Resume & rehome.client.v1.Resume.$Shape;
      }

      namespace Resume {
        /** Properties of a Resume. */
        interface $Properties {
          /** Resume session */
          session?: Uint8Array | null;

          /** Resume received */
          received?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Resume. */
        type $Shape = rehome.client.v1.Resume.$Properties;
      }

      /**
       * Properties of a Pong.
       * @deprecated Use rehome.client.v1.Pong.$Properties instead.
       */
      interface IPong extends rehome.client.v1.Pong.$Properties {}

      /** Represents a Pong. */
      class Pong {
        /**
         * Constructs a new Pong.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Pong.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Pong number. */
        number: number;

        /**
         * Encodes the specified Pong message. Does not implicitly {@link rehome.client.v1.Pong.verify|verify} messages.
         * @param message Pong message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Pong.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Pong message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Pong & rehome.client.v1.Pong.$Shape} Pong
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Pong & rehome.client.v1.Pong.$Shape;
      }

      namespace Pong {
        /** Properties of a Pong. */
        interface $Properties {
          /** Pong number */
          number?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Pong. */
        type $Shape = rehome.client.v1.Pong.$Properties;
      }

      /**
       * Properties of a Goodbye.
       * @deprecated Use rehome.client.v1.Goodbye.$Properties instead.
       */
      interface IGoodbye extends rehome.client.v1.Goodbye.$Properties {}

      /** Represents a Goodbye. */
      class Goodbye {
        /**
         * Constructs a new Goodbye.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Goodbye.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /**
         * Encodes the specified Goodbye message. Does not implicitly {@link rehome.client.v1.Goodbye.verify|verify} messages.
         * @param message Goodbye message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Goodbye.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Goodbye message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Goodbye & rehome.client.v1.Goodbye.$Shape} Goodbye
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Goodbye & rehome.client.v1.Goodbye.$Shape;
      }

      namespace Goodbye {
        /** Properties of a Goodbye. */
        interface $Properties {
          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Goodbye. */
        type $Shape = rehome.client.v1.Goodbye.$Properties;
      }

      /**
       * Properties of a ClientFrame.
       * @deprecated Use rehome.client.v1.ClientFrame.$Properties instead.
       */
      interface IClientFrame extends rehome.client.v1.ClientFrame.$Properties {}

      /** Represents a ClientFrame. */
      class ClientFrame {
        /**
         * Constructs a new ClientFrame.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.ClientFrame.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** ClientFrame bind. */
        bind?: rehome.client.v1.Bind.$Properties | null;

        /** ClientFrame unbind. */
        unbind?: rehome.client.v1.Unbind.$Properties | null;

        /** ClientFrame send. */
        send?: rehome.client.v1.Send.$Properties | null;

        /** ClientFrame request. */
        request?: rehome.client.v1.Request.$Properties | null;

        /** ClientFrame kind. */
        kind?: "bind" | "unbind" | "send" | "request";

        /**
         * Encodes the specified ClientFrame message. Does not implicitly {@link rehome.client.v1.ClientFrame.verify|verify} messages.
         * @param message ClientFrame message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.ClientFrame.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a ClientFrame message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.ClientFrame & rehome.client.v1.ClientFrame.$Shape} ClientFrame
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.ClientFrame & rehome.client.v1.ClientFrame.$Shape;
      }

      namespace ClientFrame {
        /** Properties of a ClientFrame. */
        interface $Properties {
          /** ClientFrame bind */
          bind?: rehome.client.v1.Bind.$Properties | null;

          /** ClientFrame unbind */
          unbind?: rehome.client.v1.Unbind.$Properties | null;

          /** ClientFrame send */
          send?: rehome.client.v1.Send.$Properties | null;

          /** ClientFrame request */
          request?: rehome.client.v1.Request.$Properties | null;

          /** ClientFrame kind */
          kind?: "bind" | "unbind" | "send" | "request";

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Narrowed shape of a ClientFrame. */
        type $Shape = {
          bind?: rehome.client.v1.Bind.$Shape | null;
          unbind?: rehome.client.v1.Unbind.$Shape | null;
          send?: rehome.client.v1.Send.$Shape | null;
          request?: rehome.client.v1.Request.$Shape | null;
          $unknowns?: Uint8Array[];
        } & (
          | { kind?: undefined; bind?: null; unbind?: null; send?: null; request?: null }
          | { kind?: "bind"; bind: rehome.client.v1.Bind.$Shape; unbind?: null; send?: null; request?: null }
          | { kind?: "unbind"; bind?: null; unbind: rehome.client.v1.Unbind.$Shape; send?: null; request?: null }
          | { kind?: "send"; bind?: null; unbind?: null; send: rehome.client.v1.Send.$Shape; request?: null }
          | { kind?: "request"; bind?: null; unbind?: null; send?: null; request: rehome.client.v1.Request.$Shape }
        );
      }

      /**
       * Properties of a Bind.
       * @deprecated Use rehome.client.v1.Bind.$Properties instead.
       */
      interface IBind extends rehome.client.v1.Bind.$Properties {}

      /** Represents a Bind. */
      class Bind {
        /**
         * Constructs a new Bind.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Bind.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Bind binding. */
        binding: number;

        /** Bind actorType. */
        actorType: string;

        /** Bind actorId. */
        actorId: string;

        /**
         * Encodes the specified Bind message. Does not implicitly {@link rehome.client.v1.Bind.verify|verify} messages.
         * @param message Bind message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Bind.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Bind message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Bind & rehome.client.v1.Bind.$Shape} Bind
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Bind & rehome.client.v1.Bind.$Shape;
      }

      namespace Bind {
        /** Properties of a Bind. */
        interface $Properties {
          /** Bind binding */
          binding?: number | null;

          /** Bind actorType */
          actorType?: string | null;

          /** Bind actorId */
          actorId?: string | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Bind. */
        type $Shape = rehome.client.v1.Bind.$Properties;
      }

      /**
       * Properties of an Unbind.
       * @deprecated Use rehome.client.v1.Unbind.$Properties instead.
       */
      interface IUnbind extends rehome.client.v1.Unbind.$Properties {}

      /** Represents an Unbind. */
      class Unbind {
        /**
         * Constructs a new Unbind.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Unbind.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Unbind binding. */
        binding: number;

        /**
         * Encodes the specified Unbind message. Does not implicitly {@link rehome.client.v1.Unbind.verify|verify} messages.
         * @param message Unbind message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Unbind.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes an Unbind message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Unbind & rehome.client.v1.Unbind.$Shape} Unbind
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Unbind & rehome.client.v1.Unbind.$Shape;
      }

      namespace Unbind {
        /** Properties of an Unbind. */
        interface $Properties {
          /** Unbind binding */
          binding?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of an Unbind. */
        type $Shape = rehome.client.v1.Unbind.$Properties;
      }

      /**
       * Properties of a Send.
       * @deprecated Use rehome.client.v1.Send.$Properties instead.
       */
      interface ISend extends rehome.client.v1.Send.$Properties {}

      /** Represents a Send. */
      class Send {
        /**
         * Constructs a new Send.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Send.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Send binding. */
        binding: number;

        /** Send sequence. */
        sequence: number;

        /** Send payload. */
        payload?: rehome.client.v1.Payload.$Properties | null;

        /**
         * Encodes the specified Send message. Does not implicitly {@link rehome.client.v1.Send.verify|verify} messages.
         * @param message Send message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Send.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Send message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Send & rehome.client.v1.Send.$Shape} Send
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Send & rehome.client.v1.Send.$Shape;
      }

      namespace Send {
        /** Properties of a Send. */
        interface $Properties {
          /** Send binding */
          binding?: number | null;

          /** Send sequence */
          sequence?: number | null;

          /** Send payload */
          payload?: rehome.client.v1.Payload.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Send. */
        type $Shape = rehome.client.v1.Send.$Properties;
      }

      /**
       * Properties of a Request.
       * @deprecated Use rehome.client.v1.Request.$Properties instead.
       */
      interface IRequest extends rehome.client.v1.Request.$Properties {}

      /** Represents a Request. */
      class Request {
        /**
         * Constructs a new Request.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Request.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Request binding. */
        binding: number;

        /** Request sequence. */
        sequence: number;

        /** Request payload. */
        payload?: rehome.client.v1.Payload.$Properties | null;

        /** Request timeoutMs. */
        timeoutMs: number;

        /**
         * Encodes the specified Request message. Does not implicitly {@link rehome.client.v1.Request.verify|verify} messages.
         * @param message Request message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Request.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Request message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Request & rehome.client.v1.Request.$Shape} Request
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Request & rehome.client.v1.Request.$Shape;
      }

      namespace Request {
        /** Properties of a Request. */
        interface $Properties {
          /** Request binding */
          binding?: number | null;

          /** Request sequence */
          sequence?: number | null;

          /** Request payload */
          payload?: rehome.client.v1.Payload.$Properties | null;

          /** Request timeoutMs */
          timeoutMs?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Request. */
        type $Shape = rehome.client.v1.Request.$Properties;
      }

      /**
       * Properties of a GatewayPacket.
       * @deprecated Use rehome.client.v1.GatewayPacket.$Properties instead.
       */
      interface IGatewayPacket extends rehome.client.v1.GatewayPacket.$Properties {}

      /** Represents a GatewayPacket. */
      class GatewayPacket {
        /**
         * Constructs a new GatewayPacket.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.GatewayPacket.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** GatewayPacket first. */
        first: number;

        /** GatewayPacket acknowledged. */
        acknowledged: number;

        /** GatewayPacket frames. */
        frames: rehome.client.v1.GatewayFrame.$Properties[];

        /** GatewayPacket welcome. */
        welcome?: rehome.client.v1.Welcome.$Properties | null;

        /** GatewayPacket refused. */
        refused?: rehome.client.v1.Refused.$Properties | null;

        /** GatewayPacket ping. */
        ping?: rehome.client.v1.Ping.$Properties | null;

        /** GatewayPacket goingAway. */
        goingAway?: rehome.client.v1.GoingAway.$Properties | null;

        /**
         * Encodes the specified GatewayPacket message. Does not implicitly {@link rehome.client.v1.GatewayPacket.verify|verify} messages.
         * @param message GatewayPacket message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.GatewayPacket.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a GatewayPacket message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.GatewayPacket & rehome.client.v1.GatewayPacket.$Shape} GatewayPacket
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.GatewayPacket & rehome.client.v1.GatewayPacket.$Shape;
      }

      namespace GatewayPacket {
        /** Properties of a GatewayPacket. */
        interface $Properties {
          /** GatewayPacket first */
          first?: number | null;

          /** GatewayPacket acknowledged */
          acknowledged?: number | null;

          /** GatewayPacket frames */
          frames?: rehome.client.v1.GatewayFrame.$Properties[] | null;

          /** GatewayPacket welcome */
          welcome?: rehome.client.v1.Welcome.$Properties | null;

          /** GatewayPacket refused */
          refused?: rehome.client.v1.Refused.$Properties | null;

          /** GatewayPacket ping */
          ping?: rehome.client.v1.Ping.$Properties | null;

          /** GatewayPacket goingAway */
          goingAway?: rehome.client.v1.GoingAway.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a GatewayPacket. */
        type $Shape = {
          first?: number | null;
          acknowledged?: number | null;
          frames?: rehome.client.v1.GatewayFrame.$Shape[] | null;
          welcome?: rehome.client.v1.Welcome.$Shape | null;
          refused?: rehome.client.v1.Refused.$Shape | null;
          ping?: rehome.client.v1.Ping.$Shape | null;
          goingAway?: rehome.client.v1.GoingAway.$Shape | null;
          $unknowns?: Uint8Array[];
        };
      }

      /**
       * Properties of a Welcome.
       * @deprecated Use rehome.client.v1.Welcome.$Properties instead.
       */
      interface IWelcome extends rehome.client.v1.Welcome.$Properties {}

      /** Represents a Welcome. */
      class Welcome {
        /**
         * Constructs a new Welcome.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Welcome.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Welcome protocolVersion. */
        protocolVersion: number;

        /** Welcome session. */
        session: Uint8Array;

        /** Welcome resumed. */
        resumed: boolean;

        /** Welcome limits. */
        limits?: rehome.client.v1.Limits.$Properties | null;

        /**
         * Encodes the specified Welcome message. Does not implicitly {@link rehome.client.v1.Welcome.verify|verify} messages.
         * @param message Welcome message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Welcome.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Welcome message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Welcome & rehome.client.v1.Welcome.$Shape} Welcome
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Welcome & rehome.client.v1.Welcome.$Shape;
      }

      namespace Welcome {
        /** Properties of a Welcome. */
        interface $Properties {
          /** Welcome protocolVersion */
          protocolVersion?: number | null;

          /** Welcome session */
          session?: Uint8Array | null;

          /** Welcome resumed */
          resumed?: boolean | null;

          /** Welcome limits */
          limits?: rehome.client.v1.Limits.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Welcome. */
        type $Shape = rehome.client.v1.Welcome.$Properties;
      }

      /**
       * Properties of a Limits.
       * @deprecated Use rehome.client.v1.Limits.$Properties instead.
       */
      interface ILimits extends rehome.client.v1.Limits.$Properties {}

      /** Represents a Limits. */
      class Limits {
        /**
         * Constructs a new Limits.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Limits.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Limits maxMessageBytes. */
        maxMessageBytes: number;

        /** Limits windowFrames. */
        windowFrames: number;

        /** Limits framesPerSecond. */
        framesPerSecond: number;

        /** Limits burstFrames. */
        burstFrames: number;

        /** Limits resumeGraceMs. */
        resumeGraceMs: number;

        /** Limits silenceLimitMs. */
        silenceLimitMs: number;

        /** Limits maxBindings. */
        maxBindings: number;

        /** Limits maxOutstandingRequests. */
        maxOutstandingRequests: number;

        /** Limits maxRequestTimeoutMs. */
        maxRequestTimeoutMs: number;

        /**
         * Encodes the specified Limits message. Does not implicitly {@link rehome.client.v1.Limits.verify|verify} messages.
         * @param message Limits message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Limits.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Limits message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Limits & rehome.client.v1.Limits.$Shape} Limits
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Limits & rehome.client.v1.Limits.$Shape;
      }

      namespace Limits {
        /** Properties of a Limits. */
        interface $Properties {
          /** Limits maxMessageBytes */
          maxMessageBytes?: number | null;

          /** Limits windowFrames */
          windowFrames?: number | null;

          /** Limits framesPerSecond */
          framesPerSecond?: number | null;

          /** Limits burstFrames */
          burstFrames?: number | null;

          /** Limits resumeGraceMs */
          resumeGraceMs?: number | null;

          /** Limits silenceLimitMs */
          silenceLimitMs?: number | null;

          /** Limits maxBindings */
          maxBindings?: number | null;

          /** Limits maxOutstandingRequests */
          maxOutstandingRequests?: number | null;

          /** Limits maxRequestTimeoutMs */
          maxRequestTimeoutMs?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Limits. */
        type $Shape = rehome.client.v1.Limits.$Properties;
      }

      /**
       * Properties of a Refused.
       * @deprecated Use rehome.client.v1.Refused.$Properties instead.
       */
      interface IRefused extends rehome.client.v1.Refused.$Properties {}

      /** Represents a Refused. */
      class Refused {
        /**
         * Constructs a new Refused.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Refused.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Refused failure. */
        failure?: rehome.client.v1.Failure.$Properties | null;

        /** Refused retryAfterMs. */
        retryAfterMs?: number | null;

        /**
         * Encodes the specified Refused message. Does not implicitly {@link rehome.client.v1.Refused.verify|verify} messages.
         * @param message Refused message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Refused.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Refused message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Refused & rehome.client.v1.Refused.$Shape} Refused
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Refused & rehome.client.v1.Refused.$Shape;
      }

      namespace Refused {
        /** Properties of a Refused. */
        interface $Properties {
          /** Refused failure */
          failure?: rehome.client.v1.Failure.$Properties | null;

          /** Refused retryAfterMs */
          retryAfterMs?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Refused. */
        type $Shape = rehome.client.v1.Refused.$Properties;
      }

      /**
       * Properties of a Ping.
       * @deprecated Use rehome.client.v1.Ping.$Properties instead.
       */
      interface IPing extends rehome.client.v1.Ping.$Properties {}

      /** Represents a Ping. */
      class Ping {
        /**
         * Constructs a new Ping.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Ping.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Ping number. */
        number: number;

        /**
         * Encodes the specified Ping message. Does not implicitly {@link rehome.client.v1.Ping.verify|verify} messages.
         * @param message Ping message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Ping.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Ping message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Ping & rehome.client.v1.Ping.$Shape} Ping
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Ping & rehome.client.v1.Ping.$Shape;
      }

      namespace Ping {
        /** Properties of a Ping. */
        interface $Properties {
          /** Ping number */
          number?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Ping. */
        type $Shape = rehome.client.v1.Ping.$Properties;
      }

      /**
       * Properties of a GoingAway.
       * @deprecated Use rehome.client.v1.GoingAway.$Properties instead.
       */
      interface IGoingAway extends rehome.client.v1.GoingAway.$Properties {}

      /** Represents a GoingAway. */
      class GoingAway {
        /**
         * Constructs a new GoingAway.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.GoingAway.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** GoingAway deadlineMs. */
        deadlineMs: number;

        /** GoingAway spreadMs. */
        spreadMs: number;

        /**
         * Encodes the specified GoingAway message. Does not implicitly {@link rehome.client.v1.GoingAway.verify|verify} messages.
         * @param message GoingAway message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.GoingAway.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a GoingAway message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.GoingAway & rehome.client.v1.GoingAway.$Shape} GoingAway
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.GoingAway & rehome.client.v1.GoingAway.$Shape;
      }

      namespace GoingAway {
        /** Properties of a GoingAway. */
        interface $Properties {
          /** GoingAway deadlineMs */
          deadlineMs?: number | null;

          /** GoingAway spreadMs */
          spreadMs?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a GoingAway. */
        type $Shape = rehome.client.v1.GoingAway.$Properties;
      }

      /**
       * Properties of a GatewayFrame.
       * @deprecated Use rehome.client.v1.GatewayFrame.$Properties instead.
       */
      interface IGatewayFrame extends rehome.client.v1.GatewayFrame.$Properties {}

      /** Represents a GatewayFrame. */
      class GatewayFrame {
        /**
         * Constructs a new GatewayFrame.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.GatewayFrame.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** GatewayFrame bound. */
        bound?: rehome.client.v1.Bound.$Properties | null;

        /** GatewayFrame bindFailed. */
        bindFailed?: rehome.client.v1.BindFailed.$Properties | null;

        /** GatewayFrame unbound. */
        unbound?: rehome.client.v1.Unbound.$Properties | null;

        /** GatewayFrame push. */
        push?: rehome.client.v1.Push.$Properties | null;

        /** GatewayFrame reply. */
        reply?: rehome.client.v1.Reply.$Properties | null;

        /** GatewayFrame sendRefused. */
        sendRefused?: rehome.client.v1.SendRefused.$Properties | null;

        /** GatewayFrame bindingLost. */
        bindingLost?: rehome.client.v1.BindingLost.$Properties | null;

        /** GatewayFrame kind. */
        kind?: "bound" | "bindFailed" | "unbound" | "push" | "reply" | "sendRefused" | "bindingLost";

        /**
         * Encodes the specified GatewayFrame message. Does not implicitly {@link rehome.client.v1.GatewayFrame.verify|verify} messages.
         * @param message GatewayFrame message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.GatewayFrame.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a GatewayFrame message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.GatewayFrame & rehome.client.v1.GatewayFrame.$Shape} GatewayFrame
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.GatewayFrame & rehome.client.v1.GatewayFrame.$Shape;
      }

      namespace GatewayFrame {
        /** Properties of a GatewayFrame. */
        interface $Properties {
          /** GatewayFrame bound */
          bound?: rehome.client.v1.Bound.$Properties | null;

          /** GatewayFrame bindFailed */
          bindFailed?: rehome.client.v1.BindFailed.$Properties | null;

          /** GatewayFrame unbound */
          unbound?: rehome.client.v1.Unbound.$Properties | null;

          /** GatewayFrame push */
          push?: rehome.client.v1.Push.$Properties | null;

          /** GatewayFrame reply */
          reply?: rehome.client.v1.Reply.$Properties | null;

          /** GatewayFrame sendRefused */
          sendRefused?: rehome.client.v1.SendRefused.$Properties | null;

          /** GatewayFrame bindingLost */
          bindingLost?: rehome.client.v1.BindingLost.$Properties | null;

          /** GatewayFrame kind */
          kind?: "bound" | "bindFailed" | "unbound" | "push" | "reply" | "sendRefused" | "bindingLost";

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Narrowed shape of a GatewayFrame. */
        type $Shape = {
          bound?: rehome.client.v1.Bound.$Shape | null;
          bindFailed?: rehome.client.v1.BindFailed.$Shape | null;
          unbound?: rehome.client.v1.Unbound.$Shape | null;
          push?: rehome.client.v1.Push.$Shape | null;
          reply?: rehome.client.v1.Reply.$Shape | null;
          sendRefused?: rehome.client.v1.SendRefused.$Shape | null;
          bindingLost?: rehome.client.v1.BindingLost.$Shape | null;
          $unknowns?: Uint8Array[];
        } & (
          | {
              kind?: undefined;
              bound?: null;
              bindFailed?: null;
              unbound?: null;
              push?: null;
              reply?: null;
              sendRefused?: null;
              bindingLost?: null;
            }
          | {
              kind?: "bound";
              bound: rehome.client.v1.Bound.$Shape;
              bindFailed?: null;
              unbound?: null;
              push?: null;
              reply?: null;
              sendRefused?: null;
              bindingLost?: null;
            }
          | {
              kind?: "bindFailed";
              bound?: null;
              bindFailed: rehome.client.v1.BindFailed.$Shape;
              unbound?: null;
              push?: null;
              reply?: null;
              sendRefused?: null;
              bindingLost?: null;
            }
          | {
              kind?: "unbound";
              bound?: null;
              bindFailed?: null;
              unbound: rehome.client.v1.Unbound.$Shape;
              push?: null;
              reply?: null;
              sendRefused?: null;
              bindingLost?: null;
            }
          | {
              kind?: "push";
              bound?: null;
              bindFailed?: null;
              unbound?: null;
              push: rehome.client.v1.Push.$Shape;
              reply?: null;
              sendRefused?: null;
              bindingLost?: null;
            }
          | {
              kind?: "reply";
              bound?: null;
              bindFailed?: null;
              unbound?: null;
              push?: null;
              reply: rehome.client.v1.Reply.$Shape;
              sendRefused?: null;
              bindingLost?: null;
            }
          | {
              kind?: "sendRefused";
              bound?: null;
              bindFailed?: null;
              unbound?: null;
              push?: null;
              reply?: null;
              sendRefused: rehome.client.v1.SendRefused.$Shape;
              bindingLost?: null;
            }
          | {
              kind?: "bindingLost";
              bound?: null;
              bindFailed?: null;
              unbound?: null;
              push?: null;
              reply?: null;
              sendRefused?: null;
              bindingLost: rehome.client.v1.BindingLost.$Shape;
            }
        );
      }

      /**
       * Properties of a Bound.
       * @deprecated Use rehome.client.v1.Bound.$Properties instead.
       */
      interface IBound extends rehome.client.v1.Bound.$Properties {}

      /** Represents a Bound. */
      class Bound {
        /**
         * Constructs a new Bound.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Bound.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Bound binding. */
        binding: number;

        /** Bound created. */
        created: boolean;

        /**
         * Encodes the specified Bound message. Does not implicitly {@link rehome.client.v1.Bound.verify|verify} messages.
         * @param message Bound message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Bound.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Bound message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Bound & rehome.client.v1.Bound.$Shape} Bound
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Bound & rehome.client.v1.Bound.$Shape;
      }

      namespace Bound {
        /** Properties of a Bound. */
        interface $Properties {
          /** Bound binding */
          binding?: number | null;

          /** Bound created */
          created?: boolean | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Bound. */
        type $Shape = rehome.client.v1.Bound.$Properties;
      }

      /**
       * Properties of a BindFailed.
       * @deprecated Use rehome.client.v1.BindFailed.$Properties instead.
       */
      interface IBindFailed extends rehome.client.v1.BindFailed.$Properties {}

      /** Represents a BindFailed. */
      class BindFailed {
        /**
         * Constructs a new BindFailed.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.BindFailed.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** BindFailed binding. */
        binding: number;

        /** BindFailed failure. */
        failure?: rehome.client.v1.Failure.$Properties | null;

        /**
         * Encodes the specified BindFailed message. Does not implicitly {@link rehome.client.v1.BindFailed.verify|verify} messages.
         * @param message BindFailed message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.BindFailed.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a BindFailed message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.BindFailed & rehome.client.v1.BindFailed.$Shape} BindFailed
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.BindFailed & rehome.client.v1.BindFailed.$Shape;
      }

      namespace BindFailed {
        /** Properties of a BindFailed. */
        interface $Properties {
          /** BindFailed binding */
          binding?: number | null;

          /** BindFailed failure */
          failure?: rehome.client.v1.Failure.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a BindFailed. */
        type $Shape = rehome.client.v1.BindFailed.$Properties;
      }

      /**
       * Properties of an Unbound.
       * @deprecated Use rehome.client.v1.Unbound.$Properties instead.
       */
      interface IUnbound extends rehome.client.v1.Unbound.$Properties {}

      /** Represents an Unbound. */
      class Unbound {
        /**
         * Constructs a new Unbound.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Unbound.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Unbound binding. */
        binding: number;

        /**
         * Encodes the specified Unbound message. Does not implicitly {@link rehome.client.v1.Unbound.verify|verify} messages.
         * @param message Unbound message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Unbound.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes an Unbound message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Unbound & rehome.client.v1.Unbound.$Shape} Unbound
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Unbound & rehome.client.v1.Unbound.$Shape;
      }

      namespace Unbound {
        /** Properties of an Unbound. */
        interface $Properties {
          /** Unbound binding */
          binding?: number | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of an Unbound. */
        type $Shape = rehome.client.v1.Unbound.$Properties;
      }

      /**
       * Properties of a Push.
       * @deprecated Use rehome.client.v1.Push.$Properties instead.
       */
      interface IPush extends rehome.client.v1.Push.$Properties {}

      /** Represents a Push. */
      class Push {
        /**
         * Constructs a new Push.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Push.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Push binding. */
        binding: number;

        /** Push payload. */
        payload?: rehome.client.v1.Payload.$Properties | null;

        /**
         * Encodes the specified Push message. Does not implicitly {@link rehome.client.v1.Push.verify|verify} messages.
         * @param message Push message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Push.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Push message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Push & rehome.client.v1.Push.$Shape} Push
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Push & rehome.client.v1.Push.$Shape;
      }

      namespace Push {
        /** Properties of a Push. */
        interface $Properties {
          /** Push binding */
          binding?: number | null;

          /** Push payload */
          payload?: rehome.client.v1.Payload.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Push. */
        type $Shape = rehome.client.v1.Push.$Properties;
      }

      /**
       * Properties of a Reply.
       * @deprecated Use rehome.client.v1.Reply.$Properties instead.
       */
      interface IReply extends rehome.client.v1.Reply.$Properties {}

      /** Represents a Reply. */
      class Reply {
        /**
         * Constructs a new Reply.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Reply.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Reply binding. */
        binding: number;

        /** Reply sequence. */
        sequence: number;

        /** Reply payload. */
        payload?: rehome.client.v1.Payload.$Properties | null;

        /** Reply failure. */
        failure?: rehome.client.v1.Failure.$Properties | null;

        /** Reply result. */
        result?: "payload" | "failure";

        /**
         * Encodes the specified Reply message. Does not implicitly {@link rehome.client.v1.Reply.verify|verify} messages.
         * @param message Reply message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Reply.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Reply message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Reply & rehome.client.v1.Reply.$Shape} Reply
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Reply & rehome.client.v1.Reply.$Shape;
      }

      namespace Reply {
        /** Properties of a Reply. */
        interface $Properties {
          /** Reply binding */
          binding?: number | null;

          /** Reply sequence */
          sequence?: number | null;

          /** Reply payload */
          payload?: rehome.client.v1.Payload.$Properties | null;

          /** Reply failure */
          failure?: rehome.client.v1.Failure.$Properties | null;

          /** Reply result */
          result?: "payload" | "failure";

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Narrowed shape of a Reply. */
        type $Shape = {
          binding?: number | null;
          sequence?: number | null;
          payload?: rehome.client.v1.Payload.$Shape | null;
          failure?: rehome.client.v1.Failure.$Shape | null;
          $unknowns?: Uint8Array[];
        } & (
          | { result?: undefined; payload?: null; failure?: null }
          | { result?: "payload"; payload: rehome.client.v1.Payload.$Shape; failure?: null }
          | { result?: "failure"; payload?: null; failure: rehome.client.v1.Failure.$Shape }
        );
      }

      /**
       * Properties of a SendRefused.
       * @deprecated Use rehome.client.v1.SendRefused.$Properties instead.
       */
      interface ISendRefused extends rehome.client.v1.SendRefused.$Properties {}

      /** Represents a SendRefused. */
      class SendRefused {
        /**
         * Constructs a new SendRefused.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.SendRefused.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** SendRefused binding. */
        binding: number;

        /** SendRefused sequence. */
        sequence: number;

        /** SendRefused failure. */
        failure?: rehome.client.v1.Failure.$Properties | null;

        /**
         * Encodes the specified SendRefused message. Does not implicitly {@link rehome.client.v1.SendRefused.verify|verify} messages.
         * @param message SendRefused message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.SendRefused.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a SendRefused message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.SendRefused & rehome.client.v1.SendRefused.$Shape} SendRefused
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.SendRefused & rehome.client.v1.SendRefused.$Shape;
      }

      namespace SendRefused {
        /** Properties of a SendRefused. */
        interface $Properties {
          /** SendRefused binding */
          binding?: number | null;

          /** SendRefused sequence */
          sequence?: number | null;

          /** SendRefused failure */
          failure?: rehome.client.v1.Failure.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a SendRefused. */
        type $Shape = rehome.client.v1.SendRefused.$Properties;
      }

      /**
       * Properties of a BindingLost.
       * @deprecated Use rehome.client.v1.BindingLost.$Properties instead.
       */
      interface IBindingLost extends rehome.client.v1.BindingLost.$Properties {}

      /** Represents a BindingLost. */
      class BindingLost {
        /**
         * Constructs a new BindingLost.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.BindingLost.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** BindingLost binding. */
        binding: number;

        /** BindingLost failure. */
        failure?: rehome.client.v1.Failure.$Properties | null;

        /**
         * Encodes the specified BindingLost message. Does not implicitly {@link rehome.client.v1.BindingLost.verify|verify} messages.
         * @param message BindingLost message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.BindingLost.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a BindingLost message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.BindingLost & rehome.client.v1.BindingLost.$Shape} BindingLost
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.BindingLost & rehome.client.v1.BindingLost.$Shape;
      }

      namespace BindingLost {
        /** Properties of a BindingLost. */
        interface $Properties {
          /** BindingLost binding */
          binding?: number | null;

          /** BindingLost failure */
          failure?: rehome.client.v1.Failure.$Properties | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a BindingLost. */
        type $Shape = rehome.client.v1.BindingLost.$Properties;
      }

      /**
       * Properties of a Payload.
       * @deprecated Use rehome.client.v1.Payload.$Properties instead.
       */
      interface IPayload extends rehome.client.v1.Payload.$Properties {}

      /** Represents a Payload. */
      class Payload {
        /**
         * Constructs a new Payload.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Payload.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Payload name. */
        name: string;

        /** Payload contentType. */
        contentType?: string | null;

        /** Payload data. */
        data: Uint8Array;

        /**
         * Encodes the specified Payload message. Does not implicitly {@link rehome.client.v1.Payload.verify|verify} messages.
         * @param message Payload message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Payload.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Payload message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Payload & rehome.client.v1.Payload.$Shape} Payload
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Payload & rehome.client.v1.Payload.$Shape;
      }

      namespace Payload {
        /** Properties of a Payload. */
        interface $Properties {
          /** Payload name */
          name?: string | null;

          /** Payload contentType */
          contentType?: string | null;

          /** Payload data */
          data?: Uint8Array | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Payload. */
        type $Shape = rehome.client.v1.Payload.$Properties;
      }

      /**
       * Properties of a Failure.
       * @deprecated Use rehome.client.v1.Failure.$Properties instead.
       */
      interface IFailure extends rehome.client.v1.Failure.$Properties {}

      /** Represents a Failure. */
      class Failure {
        /**
         * Constructs a new Failure.
         * @param [properties] Properties to set
         */
        constructor(properties?: rehome.client.v1.Failure.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Failure code. */
        code: string;

        /** Failure message. */
        message: string;

        /**
         * Encodes the specified Failure message. Does not implicitly {@link rehome.client.v1.Failure.verify|verify} messages.
         * @param message Failure message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: rehome.client.v1.Failure.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Failure message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {rehome.client.v1.Failure & rehome.client.v1.Failure.$Shape} Failure
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(
          reader: $protobuf.Reader | Uint8Array,
          length?: number,
        ): rehome.client.v1.Failure & rehome.client.v1.Failure.$Shape;
      }

      namespace Failure {
        /** Properties of a Failure. */
        interface $Properties {
          /** Failure code */
          code?: string | null;

          /** Failure message */
          message?: string | null;

          /** Unknown fields preserved while decoding when enabled */
          $unknowns?: Uint8Array[];
        }

        /** Shape of a Failure. */
        type $Shape = rehome.client.v1.Failure.$Properties;
      }
    }
  }
}
