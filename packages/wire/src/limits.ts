/** Limits of `wire.md`. All counts are of encoded bytes unless they say otherwise. */

export const maxU8 = 0xff;
export const maxU16 = 0xffff;
export const maxU32 = 0xffff_ffff;
export const maxU64 = 0xffff_ffff_ffff_ffffn;
/** Of a `gen` and an `ord`: what a signed 64-bit integer holds, so that any language and database can. */
export const maxGeneration = 0x7fff_ffff_ffff_ffffn;
/** Of a `text8`: its length is one byte. */
export const maxText8Bytes = 255;
/** Of a routing id: its length is one byte. */
export const maxRidBytes = 255;
/** Of a `text16`: store versions and endpoints, and room to spare. */
export const maxText16Bytes = 4096;
/** Of a `blob`, 64 MiB: the largest state that an actor may have (`protocol.md` T4). */
export const maxBlobBytes = 67_108_864;
/** Of a whole metadata frame, and of one value in it. */
export const maxMetadataBytes = 1024;
/** Of entries in a metadata frame: the count is one byte. */
export const maxMetadataEntries = 255;
/** A message is forwarded at most this often (`protocol.md` F2). */
export const maxHops = 8;
/** Of the payload of one move, 256 GiB: {@link maxPayloadChunks} of the largest blob. */
export const maxPayloadBytes = 274_877_906_944n;
export const maxPayloadChunks = 4096;
/** What a hold or a message follow keeps at most (`protocol.md` H1, F1). */
export const maxQueuedMessages = 1024;
export const maxQueuedBytes = 16_777_216;
/** Of a channel's or a node's placement weight. */
export const maxWeight = 100;
