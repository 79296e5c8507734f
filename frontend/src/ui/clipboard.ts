// Copies a text. The clipboard API is missing on plain http pages and forbidden in sandboxed frames (show(mode="page")):
// there the old way still works, a selected text and the browser's copy command.

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text);
  }
}

function copyOldWay(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("copy", put, { capture: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", put, { capture: true });
  return done;
}
