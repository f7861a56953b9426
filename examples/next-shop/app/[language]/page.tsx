import { Greeting } from "../greeting";
import { livery } from "../livery-server";

export default async function Page({ params }: { params: Promise<{ language: string }> }) {
  const { t } = await livery.client((await params).language, { timeout: 300 });
  return (
    <main>
      <h1>{t("general.nav_trips", "Trips")}</h1>
      <Greeting name="Ada" />
    </main>
  );
}
