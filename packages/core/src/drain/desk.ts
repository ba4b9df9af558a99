/** What a caller asks of a drain. Two that agree in every field are the same (D3). */
export interface DrainRequest {
  readonly deadlineMs: number;
  /** `undefined`: this node's own. */
  readonly applicationVersion: bigint | undefined;
}

/** `start`: it is the node's drain now. `share`: the same is running; wait for its result. */
export type DrainAdmission = "start" | "share" | "operationInProgress";

/** D3: a node has one drain at a time. A second identical call shares the first; a different one is refused. */
export class DrainDesk {
  #running: DrainRequest | undefined;

  begin(request: DrainRequest): DrainAdmission {
    const running = this.#running;
    if (running === undefined) {
      this.#running = request;
      return "start";
    }
    const isSame =
      running.deadlineMs === request.deadlineMs && running.applicationVersion === request.applicationVersion;
    return isSame ? "share" : "operationInProgress";
  }

  end(): void {
    this.#running = undefined;
  }
}
