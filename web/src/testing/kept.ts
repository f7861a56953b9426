/** The offer to go on with text that an earlier visit to a form left. */
import { screen } from "@testing-library/react";

export const offerOfText = () => screen.queryByRole("button", { name: "Continue what you wrote" });

export const findOfferOfText = () => screen.findByRole("button", { name: "Continue what you wrote" });
