export { expandVectors } from "./expand.ts";
export {
  errorCodes,
  type CommandVectors,
  type Crc32cVectors,
  type DerivedCases,
  type DurableVectors,
  type ErrorCode,
  type Json,
  type JsonObject,
  type KeyVectors,
  type Need,
  type Scenario,
  type ScenarioStep,
  type ScenarioVectors,
  type VectorFile,
} from "./file.ts";
export { loadVectorFile, VectorFileError } from "./load.ts";
export {
  isExpected,
  sameJson,
  type AuthorityKeyRequest,
  type Crc32cRequest,
  type DecodeRequest,
  type DurableRequest,
  type EncodeDurableRequest,
  type EncodeRequest,
  type ErrorAnswer,
  type IdentityKeyRequest,
  type OperationKeyRequest,
  type ParseAuthorityKeyRequest,
  type ScenarioRequest,
  type VectorAnswer,
  type VectorCheck,
  type VectorImplementation,
  type VectorOperation,
  type VectorRequest,
} from "./protocol.ts";
export { runVectors, type RunOptions, type VectorDifference, type VectorReport } from "./run.ts";
export { wireImplementation } from "./wire.ts";
