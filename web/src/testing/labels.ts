/**
 * The labels of a form control, without jsdom's search. That search asks each element of the page whether it labels the
 * control, and each label then looks through the page for its control. Queries by name ask for the labels of every
 * button and field that they pass.
 */
const CONTROLS = [
  HTMLButtonElement,
  HTMLInputElement,
  HTMLMeterElement,
  HTMLOutputElement,
  HTMLProgressElement,
  HTMLSelectElement,
  HTMLTextAreaElement,
];

/** Rules out what can't label the control; jsdom decides about the rest. */
function isLabelOf(label: HTMLLabelElement, control: HTMLElement): boolean {
  const named = label.getAttribute("for");
  return (named === null ? label.contains(control) : named === control.id) && label.control === control;
}

/** Puts it in the place of jsdom's; of what is not on the page jsdom is still asked. */
export function installLabels(): void {
  for (const { prototype } of CONTROLS) {
    const real = Object.getOwnPropertyDescriptor(prototype, "labels")?.get as () => NodeListOf<HTMLLabelElement> | null;
    Object.defineProperty(prototype, "labels", {
      configurable: true,
      enumerable: true,
      get(this: HTMLInputElement) {
        if (this.getRootNode() !== document || this.type === "hidden") return real.call(this);
        return Array.from(document.getElementsByTagName("label")).filter((label) => isLabelOf(label, this));
      },
    });
  }
}
