/** The note that what AI wrote is no translation, wherever the built-in stand-in for a translation service was used. */
export function PseudoNote({ className }: { className?: string | undefined }) {
  return (
    <p className={className}>
      Pseudo-localization: for testing layouts, not a translation. Whoever runs this server chooses a real service with{" "}
      <code>LIVERY_AI</code>.
    </p>
  );
}
