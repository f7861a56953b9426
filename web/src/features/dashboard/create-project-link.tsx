import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";

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
