/** Things of a page that go by themselves. */

/** Settles once such an element is on the page, also if it goes by itself before anybody looks again. */
export function appearing(selector: string): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true });
  });
}
