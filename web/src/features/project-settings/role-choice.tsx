/** The roles that can be given, each with what it may do. */
import { useId } from "react";
import { type GivenRole, givenRoles, meaningOf } from "@/lib/roles";
import { capitalised } from "@/lib/text";
import classes from "./members.module.css";

export function RoleChoice({ value, onChange }: { value: GivenRole; onChange: (role: GivenRole) => void }) {
  const id = useId();
  return (
    <fieldset className={classes["roles"]}>
      <legend>Role</legend>
      {givenRoles.map((role) => (
        <div key={role} className={classes["role"]}>
          <input
            type="radio"
            id={`${id}-${role}`}
            name={id}
            checked={role === value}
            aria-describedby={`${id}-${role}-meaning`}
            onChange={() => onChange(role)}
          />
          <div>
            <label htmlFor={`${id}-${role}`}>{capitalised(role)}</label>
            <p id={`${id}-${role}-meaning`}>{meaningOf[role]}</p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
