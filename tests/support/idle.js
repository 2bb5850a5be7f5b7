// Whether the page waits for nothing: what it asked of the server last has been answered, the code
// of all that came has been loaded, and no file is on its way to the server. The page's own state
// says less: it is "not running", too, before its first run and while a request is on the way.

globalThis.idle = { asked: true, begun: true, loading: 0, sending: 0, last: 0, rested: 0 };

{
  const RERUN = 0x5a; // BackMsg: rerun_script
  const BEGUN = 0x22; // ForwardMsg: new_session
  const FINISHED = 0x30; // ForwardMsg: script_finished
  const FOR_RERUN = 2; // it ended early, as another run is asked for

  const number = (bytes, at) => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) return [value, at];
    }
  };

  // What a message says, by its tags: of a number which one, of all else that it is there.
  const told = (bytes) => {
    const fields = new Map();
    for (let at = 0; at < bytes.length; ) {
      let tag, value;
      [tag, at] = number(bytes, at);
      [value, at] = number(bytes, at);
      if (tag % 8 === 2) at += value;
      fields.set(tag, value);
    }
    return fields;
  };

  // The end of a run that began before the last request does not answer it: while that is on its
  // way, the run before it may still end as if nothing was asked.
  globalThis.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      this.addEventListener("message", ({ data }) => {
        idle.last = performance.now();
        const fields = data instanceof ArrayBuffer ? told(new Uint8Array(data)) : new Map();
        if (fields.has(BEGUN)) idle.begun = true;
        if (fields.has(FINISHED) && fields.get(FINISHED) !== FOR_RERUN && idle.begun) idle.asked = false;
      });
    }

    send(data) {
      idle.last = performance.now();
      if (data[0] === RERUN) [idle.asked, idle.begun] = [true, false];
      super.send(data);
    }
  };

  // A file is sent by itself; only once it is there the page asks what to draw.
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...data) {
    idle.sending += 1;
    this.addEventListener("loadend", () => {
      idle.sending -= 1;
      idle.last = performance.now();
    });
    send.apply(this, data);
  };

  // The code of a component comes as text, which a page makes a file of to load it.
  globalThis.Blob = class extends Blob {
    constructor(parts = [], options) {
      const isComponent = String(parts[0]).includes("//# sourceURL=st-bidi-");
      super(isComponent ? [...parts, "\nidle.loaded();"] : parts, options);
      if (isComponent) idle.loading += 1;
    }
  };
}

idle.loaded = () => {
  idle.loading -= 1;
  idle.last = performance.now();
};

// Asked now and then, not for each frame: 60 frames a second would keep the browser from what is
// waited for. It has no window, and may never rest while it owes a frame, so one is asked for.
idle.holds = () => {
  requestAnimationFrame(() => {});
  const app = document.querySelector('.stApp[data-test-script-state="notRunning"]');
  const waits = idle.asked || idle.loading || idle.sending || !app || document.querySelector("[data-testid=stSkeleton]");
  if (waits) idle.last = performance.now();
  return performance.now() - idle.last > 100 && idle.rested > idle.last;
};

// The browser has had nothing to do, and so has drawn all that it was given before.
const rest = () => {
  idle.rested = performance.now();
  setTimeout(() => requestIdleCallback(rest), 20);
};
requestIdleCallback(rest);
