// Runs in a page before anything else, and notes when the viewer gets how far: it wraps what every viewer must call
// (DecompressionStream, JSON.parse, attachShadow, Worker), so the viewer itself knows nothing of being measured.
//
// "Drawn" is when the frame is over in which the viewer first had on its canvas what its state asks for: painting done
// by the page's own thread is in it, the screen's own delay is not.

(() => {
  let marks = {};
  let host = null;
  const canvases = [];
  const mark = (name) => {
    marks[name] ??= performance.now();
  };

  const Unpacker = window.DecompressionStream;
  window.DecompressionStream = class extends Unpacker {
    constructor(form) {
      super(form);
      mark("script" in marks ? "unpack" : "script"); // a page unpacks first the viewer, then the graph
    }
  };

  const parse = JSON.parse;
  JSON.parse = (text, reviver) => {
    if (typeof text !== "string" || !text.startsWith('{"schema":"gradviz')) return parse(text, reviver);
    mark("parse");
    const value = parse(text, reviver);
    mark("model");
    return value;
  };

  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    host = this;
    mark("mount");
    return attach.call(this, options);
  };

  const Helper = window.Worker;
  window.Worker = class extends Helper {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", () => mark("laid out"));
    }
    postMessage(...given) {
      mark("lay out");
      super.postMessage(...given);
    }
  };

  const create = Document.prototype.createElement;
  Document.prototype.createElement = function (name, options) {
    const element = create.call(this, name, options);
    if (name === "canvas") canvases.push(new WeakRef(element));
    return element;
  };

  const frame = () => new Promise((then) => requestAnimationFrame(then));
  const endOfFrame = () =>
    new Promise((then) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = then;
      port2.postMessage(null);
    });

  async function drawn() {
    while (!host?.gradviz?.ready) await frame();
    await endOfFrame();
    mark("drawn");
    return marks;
  }

  /** One call of `step` per frame, for so many frames or five seconds; the milliseconds from each to the next. */
  async function glide(frames, step) {
    const times = [await frame()];
    for (let number = 0; number < frames && times.at(-1) - times[0] < 5000; number++) {
      step(number / frames);
      times.push(await frame());
    }
    return times.slice(1).map((time, number) => time - times[number]);
  }

  const SWAY = 150; // pixels
  const swayed = (share) => SWAY * Math.sin(2 * Math.PI * share);
  const NOTCH = 12; // of a wheel, per frame: out for the first half, in for the second
  const turned = (share) => (share < 0.5 ? NOTCH : -NOTCH);

  /** Events as a mouse makes them, one per frame, on the viewer's canvas. */
  function moveCanvas(kind, frames) {
    const canvas = host.shadowRoot.querySelector("canvas[role=application]");
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const [clientX, clientY] = [left + width / 2, top + height / 2];
    const given = { bubbles: true, cancelable: true, pointerId: 1, pointerType: "mouse", isPrimary: true };
    if (kind === "zoom") {
      const wheel = (deltaY) => canvas.dispatchEvent(new WheelEvent("wheel", { ...given, clientX, clientY, deltaY }));
      return glide(frames, (share) => wheel(turned(share)));
    }
    canvas.setPointerCapture = () => {}; // it takes only real pointers
    const point = (name, x) =>
      canvas.dispatchEvent(new PointerEvent(name, { ...given, clientX: x, clientY, buttons: 1 }));
    point("pointerdown", clientX);
    point("pointermove", clientX + 10);
    return glide(frames, (share) => point("pointermove", clientX + 10 + swayed(share))).then((times) => {
      point("pointerup", clientX + 10);
      return times;
    });
  }

  /** The same movements by the viewBox of the SVG that fills the page. */
  function moveSvg(kind, frames) {
    const svg = document.querySelector("svg");
    const whole = svg.viewBox.baseVal;
    const { x, y, width, height } = whole;
    const pixel = Math.max(width / svg.clientWidth, height / svg.clientHeight);
    let scale = 1;
    return glide(frames, (share) => {
      if (kind === "zoom") scale *= Math.exp(turned(share) * 0.0015);
      const [w, h] = [width * scale, height * scale];
      const shift = kind === "pan" ? swayed(share) * pixel : 0;
      svg.setAttribute("viewBox", `${x + (width - w) / 2 - shift} ${y + (height - h) / 2} ${w} ${h}`);
    });
  }

  window.watch = {
    mark,
    drawn,
    moveCanvas,
    moveSvg,
    /** Do something, and tell when what it brings is drawn, counted from here. `anew`: it brings another viewer. */
    async after(act, anew) {
      marks = { script: 0 };
      if (anew) host = null;
      const start = performance.now();
      await act(host?.gradviz);
      await drawn();
      return Object.fromEntries(Object.entries(marks).map(([name, time]) => [name, time && time - start]));
    },
    /** Canvases that still exist, on the page or off it. */
    canvases: () => canvases.filter((canvas) => canvas.deref()).length,
  };
})();
