import { useEffect, useRef } from "react";

/** Calls `onChange` when the address changes, as by the Back button: what lay over the former page goes with it. */
export function useAddressChange(address: string, onChange: () => void): void {
  const former = useRef(address);
  useEffect(() => {
    if (former.current === address) return;
    former.current = address;
    onChange();
  });
}
