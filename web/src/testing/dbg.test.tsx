import { test } from "vitest";
import { createMemoryRouter, RouterProvider as R2 } from "react-router";
import { RouterProvider } from "react-router/dom";
import { render } from "@testing-library/react";
test("x", async () => {
  const make = () => createMemoryRouter([{ path: "*", element: <p>hi</p> }], { initialEntries: ["/nowhere"] });
  const a = render(<R2 router={make()} />); console.log("plain", a.container.innerHTML);
  const b = render(<RouterProvider router={make()} />); console.log("dom", b.container.innerHTML);
  const r = createMemoryRouter([{ loader: () => null, children: [{ path: "*", element: <p>hi</p> }]}], { initialEntries: ["/nowhere"] });
  const c = render(<RouterProvider router={r} />);
  await new Promise((ok) => setTimeout(ok, 100));
  console.log("loader", c.container.innerHTML, r.state.errors, r.state.initialized, r.state.navigation.state);
});
