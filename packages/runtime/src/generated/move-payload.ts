// Generated from proto/move-payload.proto by scripts/generate-proto.sh; not for editing.
export const movePayloadSchema = {
  nested: {
    rehome: {
      nested: {
        move: {
          nested: {
            v1: {
              nested: {
                MovePayload: {
                  fields: {
                    format: {
                      type: "uint32",
                      id: 1,
                    },
                    actorId: {
                      type: "string",
                      id: 2,
                      protoName: "actor_id",
                    },
                    stableType: {
                      type: "string",
                      id: 3,
                      protoName: "stable_type",
                    },
                    objectGeneration: {
                      type: "uint64",
                      id: 4,
                      protoName: "object_generation",
                    },
                    authorityOwnerGeneration: {
                      type: "uint64",
                      id: 5,
                      protoName: "authority_owner_generation",
                    },
                    applicationVersion: {
                      type: "uint64",
                      id: 6,
                      protoName: "application_version",
                    },
                    state: {
                      type: "State",
                      id: 7,
                    },
                    queued: {
                      rule: "repeated",
                      type: "Queued",
                      id: 8,
                    },
                    timers: {
                      rule: "repeated",
                      type: "Timer",
                      id: 9,
                    },
                    streams: {
                      rule: "repeated",
                      type: "Stream",
                      id: 10,
                    },
                    sessions: {
                      rule: "repeated",
                      type: "Session",
                      id: 11,
                    },
                    outgoing: {
                      rule: "repeated",
                      type: "Outgoing",
                      id: 12,
                    },
                    previousSpot: {
                      type: "Spot",
                      id: 13,
                      protoName: "previous_spot",
                    },
                    join: {
                      type: "Join",
                      id: 14,
                    },
                    waiting: {
                      rule: "repeated",
                      type: "Waiting",
                      id: 15,
                    },
                    forgottenStreams: {
                      type: "uint32",
                      id: 16,
                      protoName: "forgotten_streams",
                    },
                  },
                },
                SpotPayload: {
                  fields: {
                    format: {
                      type: "uint32",
                      id: 1,
                    },
                    spotId: {
                      type: "string",
                      id: 2,
                      protoName: "spot_id",
                    },
                    stableType: {
                      type: "string",
                      id: 3,
                      protoName: "stable_type",
                    },
                    objectGeneration: {
                      type: "uint64",
                      id: 4,
                      protoName: "object_generation",
                    },
                    authorityOwnerGeneration: {
                      type: "uint64",
                      id: 5,
                      protoName: "authority_owner_generation",
                    },
                    applicationVersion: {
                      type: "uint64",
                      id: 6,
                      protoName: "application_version",
                    },
                    state: {
                      type: "State",
                      id: 7,
                    },
                    membershipEpoch: {
                      type: "uint64",
                      id: 8,
                      protoName: "membership_epoch",
                    },
                    members: {
                      rule: "repeated",
                      type: "Member",
                      id: 9,
                    },
                  },
                },
                Member: {
                  fields: {
                    baseVersion: {
                      type: "string",
                      id: 1,
                      protoName: "base_version",
                    },
                    payload: {
                      type: "bytes",
                      id: 2,
                    },
                  },
                },
                State: {
                  fields: {
                    version: {
                      type: "uint32",
                      id: 1,
                    },
                    contentType: {
                      type: "string",
                      id: 2,
                      protoName: "content_type",
                    },
                    data: {
                      type: "bytes",
                      id: 3,
                    },
                  },
                },
                Queued: {
                  oneofs: {
                    item: {
                      oneof: ["message", "joinAnswer", "bound", "unbound", "timer"],
                    },
                  },
                  fields: {
                    message: {
                      type: "bytes",
                      id: 1,
                    },
                    joinAnswer: {
                      type: "JoinAnswer",
                      id: 2,
                      protoName: "join_answer",
                    },
                    bound: {
                      type: "Session",
                      id: 3,
                    },
                    unbound: {
                      type: "bytes",
                      id: 4,
                    },
                    timer: {
                      type: "string",
                      id: 5,
                    },
                  },
                },
                JoinAnswer: {
                  fields: {
                    spotId: {
                      type: "string",
                      id: 1,
                      protoName: "spot_id",
                    },
                    accepted: {
                      type: "bool",
                      id: 2,
                    },
                    reason: {
                      type: "string",
                      id: 3,
                    },
                    contentType: {
                      type: "string",
                      id: 4,
                      protoName: "content_type",
                    },
                    reply: {
                      type: "bytes",
                      id: 5,
                    },
                    operation: {
                      type: "bytes",
                      id: 6,
                    },
                  },
                },
                Timer: {
                  fields: {
                    name: {
                      type: "string",
                      id: 1,
                    },
                    remainingMs: {
                      type: "double",
                      id: 2,
                      protoName: "remaining_ms",
                    },
                  },
                },
                Stream: {
                  fields: {
                    key: {
                      type: "bytes",
                      id: 1,
                    },
                    lastQueued: {
                      type: "uint64",
                      id: 2,
                      protoName: "last_queued",
                    },
                    skipped: {
                      rule: "repeated",
                      type: "SkippedRange",
                      id: 3,
                    },
                    idleMs: {
                      type: "double",
                      id: 4,
                      protoName: "idle_ms",
                    },
                  },
                },
                SkippedRange: {
                  fields: {
                    from: {
                      type: "uint64",
                      id: 1,
                    },
                    to: {
                      type: "uint64",
                      id: 2,
                    },
                  },
                },
                Waiting: {
                  fields: {
                    stream: {
                      type: "bytes",
                      id: 1,
                    },
                    sequence: {
                      type: "uint64",
                      id: 2,
                    },
                    waitedMs: {
                      type: "double",
                      id: 3,
                      protoName: "waited_ms",
                    },
                    message: {
                      type: "bytes",
                      id: 4,
                    },
                  },
                },
                Session: {
                  fields: {
                    ownerNodeRid: {
                      type: "bytes",
                      id: 1,
                      protoName: "owner_node_rid",
                    },
                    ownerNodeGeneration: {
                      type: "uint64",
                      id: 2,
                      protoName: "owner_node_generation",
                    },
                    ownerId: {
                      type: "string",
                      id: 3,
                      protoName: "owner_id",
                    },
                    ownerLeaseGeneration: {
                      type: "uint64",
                      id: 4,
                      protoName: "owner_lease_generation",
                    },
                    sessionRid: {
                      type: "bytes",
                      id: 5,
                      protoName: "session_rid",
                    },
                    bindingGeneration: {
                      type: "uint64",
                      id: 6,
                      protoName: "binding_generation",
                    },
                  },
                },
                Outgoing: {
                  fields: {
                    actorId: {
                      type: "string",
                      id: 1,
                      protoName: "actor_id",
                    },
                    objectGeneration: {
                      type: "uint64",
                      id: 2,
                      protoName: "object_generation",
                    },
                    lastSequence: {
                      type: "uint64",
                      id: 3,
                      protoName: "last_sequence",
                    },
                  },
                },
                Spot: {
                  fields: {
                    spotId: {
                      type: "string",
                      id: 1,
                      protoName: "spot_id",
                    },
                    objectGeneration: {
                      type: "uint64",
                      id: 2,
                      protoName: "object_generation",
                    },
                  },
                },
                Join: {
                  fields: {
                    spot: {
                      type: "Spot",
                      id: 1,
                    },
                    contentType: {
                      type: "string",
                      id: 2,
                      protoName: "content_type",
                    },
                    reply: {
                      type: "bytes",
                      id: 3,
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
