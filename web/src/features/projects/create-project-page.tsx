import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { api, take } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { showRefusal } from "@/lib/forms";
import { keepProject } from "@/lib/project";
import { languagesQuery, useMe } from "@/lib/queries";
import { invalidate } from "@/lib/query";
import { useKeptForm } from "@/lib/use-kept-form";
import { z } from "@/lib/zod";
import { IconArrowLeft } from "@/ui/icons";
import { KeptNotice } from "@/ui/kept-notice";
import { Notice } from "@/ui/notice";
import { PageBody, PageHeader } from "@/ui/page";
import { Row, Stack } from "@/ui/parts";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Project name is required.")),
  description: z.string().check(z.trim()),
  defaultLanguage: z.string(),
});

export function CreateProjectPage() {
  const [failure, setFailure] = useState<string | null>(null);
  const { data: user } = useMe();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const languageOptions = useLanguageOptions();
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: "", description: "", defaultLanguage: "en" },
  });
  const { errors, isSubmitting } = form.formState;
  const kept = useKeptForm(form, { form: "new project" }, ["name", "description", "defaultLanguage"]);
  const mayCreate = user?.isVerified !== false;

  const create = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      const project = await take(api.POST("/api/projects", { body: values }));
      const refusal = refusalOf(project);
      if (refusal !== null) return setFailure(refusal);
      kept.forget();
      void invalidate(queryClient, "/api/projects");
      void invalidate(queryClient, "/api/activity");
      keepProject(queryClient, project.projectId, project);
      await navigate(`/projects/${project.projectId}/general`);
    } catch (error) {
      setFailure(
        showRefusal(error, ["name", "description", "defaultLanguage"], form.setError, {
          fallback: "Failed to create project. Please try again.",
        }),
      );
    }
  });

  return (
    <>
      <PageHeader title="Create Project" actions={<BackToProjects />} />
      <PageBody width="narrow">
        <Stack as="form" gap={18} onSubmit={(event) => void create(event)} noValidate>
          {!mayCreate && <Notice tone="warn">Please verify your email to create projects.</Notice>}
          {failure !== null && <Notice tone="bad">{failure}</Notice>}
          <KeptNotice kept={kept} onContinue={kept.resume} />
          <TextInput
            label="Project Name"
            placeholder="My Awesome App"
            required
            autoFocus
            autoComplete="off"
            error={errors.name?.message}
            {...form.register("name")}
          />
          <Textarea
            label="Project Description"
            description="Optional. What the app is, for the people who work on its texts."
            autosize
            minRows={3}
            maxRows={10}
            error={errors.description?.message}
            {...form.register("description")}
          />
          <Controller
            control={form.control}
            name="defaultLanguage"
            render={({ field }) => (
              <Select
                {...field}
                label="Default language"
                description="Apps show it where a translation is missing. You can change it until you first publish."
                data={languageOptions}
                searchable
                comboboxProps={{ withinPortal: false }}
                nothingFoundMessage="No such language"
                error={errors.defaultLanguage?.message}
              />
            )}
          />
          <Row gap={8} pt={4}>
            <Button type="submit" variant="filled" loading={isSubmitting} disabled={!mayCreate}>
              Create Project
            </Button>
          </Row>
        </Stack>
      </PageBody>
    </>
  );
}

/** Why an answer is no project, as when a proxy answered in its place; null for a project. */
function refusalOf(answer: Partial<Project> & { message?: unknown }): string | null {
  if (answer.projectId) return null;
  const { message } = answer;
  return typeof message === "string" && message !== ""
    ? message
    : "Project ID missing in response and no message provided.";
}

/** 'German (Deutsch)' by code. Until the list is here, or when it can't be loaded, English can be chosen. */
function useLanguageOptions() {
  const { data } = useQuery(languagesQuery);
  const languages = data?.languages ?? [{ code: "en", name: "English", nativeName: "English" }];
  return languages.map(({ code, name, nativeName }) => ({
    value: code,
    label: nativeName === name ? name : `${name} (${nativeName})`,
  }));
}

function BackToProjects() {
  const navigate = useNavigate();
  const back = () => {
    // The first page of this tab has nothing behind it.
    const state: unknown = window.history.state;
    const isFirst = typeof state !== "object" || state === null || !("idx" in state) || state.idx === 0;
    void (isFirst ? navigate("/projects") : navigate(-1));
  };
  return (
    <Button onClick={back} leftSection={<IconArrowLeft size={15} aria-hidden="true" />}>
      Back to Projects
    </Button>
  );
}
