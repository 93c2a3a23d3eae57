import type { AuditStore } from '@postroom/mail-store/audit-store';
import { QUERY_BUDGET, type TimeBudget } from '@postroom/mail-store/time-limit';
import type { ServiceContext } from '@postroom/runtime/service';

interface SignInLogDeps {
  trail: Pick<AuditStore, 'record'>;
  personal: { everyMembership(personId: string, budget: TimeBudget): Promise<readonly { workspaceId: string }[]> };
  people: { find(personId: string, budget: TimeBudget): Promise<{ name: string; email: string } | null> };
  context: Pick<ServiceContext, 'ids' | 'log'>;
}

export type SignInLog = ReturnType<typeof createSignInLog>;

const TOLD = { done: 'person.signed_in', failed: 'person.sign_in_failed' } as const;

/** Tells of sign-ins in every workspace of the person. The limits of guessing bound the entries. */
export function createSignInLog({ trail, personal, people, context: { ids, log } }: SignInLogDeps) {
  const tell = async (personId: string, address: string, outcome: keyof typeof TOLD): Promise<void> => {
    const person = await people.find(personId, QUERY_BUDGET);
    const name = person ? person.name || person.email : '';
    const actor = { kind: 'person' as const, id: personId, name, address };
    const target = { kind: 'person', id: personId, name };
    const memberships = await personal.everyMembership(personId, QUERY_BUDGET);
    await Promise.all(
      memberships.map(({ workspaceId }) =>
        trail.record({ id: ids('try'), workspaceId, actor, action: TOLD[outcome], target }, outcome),
      ),
    );
  };
  return {
    /** Before the session is there. */
    signedIn: (personId: string, address: string): Promise<void> => tell(personId, address, 'done'),

    /** Nobody waits for it: the time of a refusal must not tell whether there is such an account. */
    failed: (personId: string, address: string): void => {
      tell(personId, address, 'failed').catch((error: unknown) => {
        log.warn({ err: error }, 'a failed sign-in is not in the activity log; the next one is written again');
      });
    },
  };
}
