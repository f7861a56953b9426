import { Button } from "@mantine/core";
import { Link } from "react-router";
import { IconPlus } from "@/ui/icons";

export function CreateProjectLink() {
  return (
    <Button
      component={Link}
      to="/projects/create"
      variant="filled"
      leftSection={<IconPlus size={15} aria-hidden="true" />}
    >
      Create New Project
    </Button>
  );
}
