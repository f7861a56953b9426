/** The form of a new project. */

import { CreateProjectPage } from "@/features/projects/create-project-page";
import { renderPart } from "@/testing/component";
import { aUser } from "@/testing/fixtures";

export const renderCreate = (me = aUser()) => renderPart(<CreateProjectPage />, { at: "/projects/create", me });
