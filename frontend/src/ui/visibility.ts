// Whether anybody can see the view: it is scrolled into sight, in a window that is not hidden.

export function watchVisibility(element: HTMLElement, tell: (visible: boolean) => void, signal: AbortSignal): void {
  let inSight = true;
  const changed = (): void => tell(inSight && !document.hidden);
  const observer = new IntersectionObserver((entries) => {
    inSight = entries.at(-1)!.isIntersecting;
    changed();
  });
  observer.observe(element);
  document.addEventListener("visibilitychange", changed, { signal });
  signal.addEventListener("abort", () => observer.disconnect());
}
