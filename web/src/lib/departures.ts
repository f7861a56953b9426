/** Projects that this person is leaving or deleting. The page shows no "Project not found." for them. */
const left = new Set<string>();

/** Runs an operation that takes the person out of a project. A live event may report it before the answer is here. */
export async function departing<Result>(projectId: string, act: () => Promise<Result>): Promise<Result> {
  left.add(projectId);
  try {
    return await act();
  } catch (error) {
    left.delete(projectId);
    throw error;
  }
}

export const hasLeft = (projectId: string): boolean => left.has(projectId);

/** The person is in the project: it was opened, perhaps again. */
export const noteArrival = (projectId: string): void => void left.delete(projectId);
