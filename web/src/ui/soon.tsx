import { type ComponentType, lazy, Suspense } from "react";
import { whenIdle } from "@/lib/when-idle";

const Nothing = () => null;

/**
 * A part that a page can do without at first, such as the part that shows who else is there. Its code comes once
 * the browser is idle. The page goes on without the part when the code can't be loaded.
 */
export function soon<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazy(async () => {
    await new Promise<void>(whenIdle);
    return { default: await load().catch((): ComponentType<Props> => Nothing) };
  });
  return function Soon(props: Props) {
    return (
      <Suspense>
        <Part {...props} />
      </Suspense>
    );
  };
}
