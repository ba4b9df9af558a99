// Generated from proto/owner-document.proto by scripts/generate-proto.sh; not for editing.
export const ownerDocumentSchema = {
  nested: {
    rehome: {
      nested: {
        owner: {
          nested: {
            v1: {
              nested: {
                OwnerDocument: {
                  fields: {
                    format: {
                      type: "uint32",
                      id: 1,
                    },
                    join: {
                      type: "Join",
                      id: 2,
                    },
                    saved: {
                      type: "SavedState",
                      id: 3,
                    },
                  },
                },
                Join: {
                  fields: {
                    operation: {
                      type: "bytes",
                      id: 1,
                    },
                    actorId: {
                      type: "string",
                      id: 2,
                      protoName: "actor_id",
                    },
                    spotId: {
                      type: "string",
                      id: 3,
                      protoName: "spot_id",
                    },
                    cursor: {
                      type: "Cursor",
                      id: 4,
                    },
                    contentType: {
                      type: "string",
                      id: 5,
                      protoName: "content_type",
                    },
                    reply: {
                      type: "bytes",
                      id: 6,
                    },
                  },
                },
                Cursor: {
                  values: {
                    CURSOR_UNKNOWN: 0,
                    CURSOR_PREPARED: 1,
                    CURSOR_COMMITTED: 2,
                    CURSOR_DELIVERED: 3,
                  },
                },
                SavedState: {
                  fields: {
                    version: {
                      type: "uint32",
                      id: 1,
                    },
                    applicationVersion: {
                      type: "uint64",
                      id: 2,
                      protoName: "application_version",
                    },
                    contentType: {
                      type: "string",
                      id: 3,
                      protoName: "content_type",
                    },
                    data: {
                      type: "bytes",
                      id: 4,
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
