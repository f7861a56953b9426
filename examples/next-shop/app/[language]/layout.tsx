import { colorStyleSheet } from "@livery/client/page";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { Livery } from "../livery";
import { livery } from "../livery-server";

const LANGUAGES = ["en", "de", "ar"];

export default async function Layout({
  params,
  children,
}: {
  params: Promise<{ language: string }>;
  children: ReactNode;
}) {
  const { language } = await params;
  if (!LANGUAGES.includes(language)) notFound();
  const { snapshot, direction, colors } = await livery.client(language, { timeout: 300 });
  return (
    <html lang={language} dir={direction}>
      <body style={{ color: "var(--livery-primary)" }}>
        <style>{colorStyleSheet(colors())}</style>
        <Livery content={snapshot} language={language}>
          {children}
        </Livery>
      </body>
    </html>
  );
}
