/** The roles that can be given, each with what it may do. */
import { type GivenRole, givenRoles, meaningOf } from "@/lib/roles";
import { capitalised } from "@/lib/text";
import { RadioChoices } from "@/ui/radio-choices";

const choices = givenRoles.map((role) => ({ value: role, label: capitalised(role), meaning: meaningOf[role] }));

export function RoleChoice({ value, onChange }: { value: GivenRole; onChange: (role: GivenRole) => void }) {
  return <RadioChoices legend="Role" choices={choices} value={value} onChange={onChange} />;
}
