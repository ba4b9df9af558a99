import type { LocalIdentity, PeerIdentity } from "@rehome/core";
import { ridToDisplay } from "@rehome/wire";
import type { Admission, RejectReason } from "@rehome/wire";
import type { ProvenIdentity } from "./byte-stream.ts";

/** The capability that every node of this protocol must have (`wire.md` 3.1, field 6). */
export const REHOME_CAPABILITY = "rehome-v1";

/** What this node says of itself in `hello` and `admit`. */
export function admissionOf(local: LocalIdentity, endpoint: string, securityIdentity: string): Admission {
  return {
    topology: "routeMesh",
    meshName: local.meshName,
    securityIdentity,
    lifecycleGeneration: local.nodeGeneration,
    descriptorRevision: 1n,
    advertisedEndpoint: endpoint,
    channels: [],
    runtimeState: "serving",
    applicationVersion: local.applicationVersion,
    protocolCapabilities: [REHOME_CAPABILITY],
    placementWeight: local.placementWeight,
    nodeRid: local.nodeRid,
    ownerId: local.lease.ownerId,
    ownerLeaseGeneration: local.lease.ownerLeaseGeneration,
  };
}

export type AdmissionVerdict =
  | { readonly acceptable: true; readonly peer: PeerIdentity }
  | { readonly acceptable: false; readonly reason: RejectReason };

/** What a node knows for certain when it judges what another one says of itself. */
export interface JudgeKnows {
  readonly local: LocalIdentity;
  readonly securityIdentity: string;
  /** What the connection proves of the other one, if it proves anything. */
  readonly proven: ProvenIdentity | undefined;
}

/**
 * Whether the node that a connection proves can be a peer of this one at all, whatever it is going to say: `undefined`, or
 * why not, for the log.
 */
export function doubtOf(proven: ProvenIdentity | undefined, local: LocalIdentity): string | undefined {
  if (proven === undefined) return undefined;
  if (proven.meshName !== local.meshName) return `it is proven to be of the mesh "${proven.meshName}"`;
  if (proven.nodeRid === local.nodeRid)
    return `it is proven to be ${ridToDisplay(proven.nodeRid)}, like this node itself`;
  return undefined;
}

/** Whether a node that says this of itself can be a peer of this one at all. The same rules at both ends. */
export function judgeAdmission(theirs: Admission, knows: JudgeKnows): AdmissionVerdict {
  const { local, securityIdentity, proven } = knows;
  if (theirs.meshName !== local.meshName) return refuse("topologyMismatch");
  if (theirs.nodeRid === local.nodeRid) return refuse("identityMismatch");
  if (theirs.securityIdentity !== securityIdentity) return refuse("securityIdentityMismatch");
  if (proven !== undefined && (proven.nodeRid !== theirs.nodeRid || proven.meshName !== theirs.meshName))
    return refuse("identityMismatch");
  if (!theirs.protocolCapabilities.includes(REHOME_CAPABILITY)) return refuse("capabilityMismatch");
  if (theirs.runtimeState === "stopped" || theirs.runtimeState === "error") return refuse("runtimeNotServing");
  return { acceptable: true, peer: peerOf(theirs) };
}

/** The identity in what a node says of itself. */
export function peerOf(theirs: Admission): PeerIdentity {
  return Object.freeze({
    meshName: theirs.meshName,
    nodeRid: theirs.nodeRid,
    nodeGeneration: theirs.lifecycleGeneration,
    lease:
      theirs.ownerId === undefined || theirs.ownerLeaseGeneration === undefined
        ? undefined
        : Object.freeze({ ownerId: theirs.ownerId, ownerLeaseGeneration: theirs.ownerLeaseGeneration }),
  });
}

function refuse(reason: RejectReason): AdmissionVerdict {
  return { acceptable: false, reason };
}
