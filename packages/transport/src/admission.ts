import type { LocalIdentity, PeerIdentity } from "@rehome/core";
import type { Admission, RejectReason } from "@rehome/wire";

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

/** Whether a node that says this of itself can be a peer of this one at all. The same rules at both ends. */
export function judgeAdmission(theirs: Admission, local: LocalIdentity, securityIdentity: string): AdmissionVerdict {
  if (theirs.meshName !== local.meshName) return refuse("topologyMismatch");
  if (theirs.nodeRid === local.nodeRid) return refuse("identityMismatch");
  if (theirs.securityIdentity !== securityIdentity) return refuse("securityIdentityMismatch");
  if (!theirs.protocolCapabilities.includes(REHOME_CAPABILITY)) return refuse("capabilityMismatch");
  if (theirs.runtimeState === "stopped" || theirs.runtimeState === "error") return refuse("runtimeNotServing");
  return {
    acceptable: true,
    peer: Object.freeze({
      meshName: theirs.meshName,
      nodeRid: theirs.nodeRid,
      nodeGeneration: theirs.lifecycleGeneration,
      lease:
        theirs.ownerId === undefined || theirs.ownerLeaseGeneration === undefined
          ? undefined
          : Object.freeze({ ownerId: theirs.ownerId, ownerLeaseGeneration: theirs.ownerLeaseGeneration }),
    }),
  };
}

function refuse(reason: RejectReason): AdmissionVerdict {
  return { acceptable: false, reason };
}
