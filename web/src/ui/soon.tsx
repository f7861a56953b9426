import { type ComponentType, lazy, Suspense } from "react";

const Nothing = () => null;

/**
 * A part that a page can do without at first, such as what tells who else is there: its code comes after the page stands, and
 * the page goes on without it when that can't be loaded.
 */
export function soon<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load().catch((): ComponentType<Props> => Nothing) }));
  return function Soon(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}
