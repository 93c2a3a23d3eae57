import type { SendPermitsDocument } from '@postroom/mail-store/documents/send';
import { FURTHEST_MS, type PermitStore } from './permit-store.ts';

/** The store's promises without a database: one document for each mailbox, changed by one command at a time. */
export function memoryPermits(): PermitStore & { of(mailboxId: string): SendPermitsDocument | undefined } {
  const all = new Map<string, SendPermitsDocument>();
  const NEVER = new Date(0);
  return {
    of: (mailboxId) => all.get(mailboxId),

    take: async (_workspaceId, mailboxId, { permit, now, most, pace }) => {
      const stands = all.get(mailboxId);
      if (!stands || stands.holders.length >= most) return null;
      const { wantedUntil, restsUntil, pacedUntil, failures } = stands;
      if (pace) {
        const isQuiet = wantedUntil <= now && restsUntil <= now;
        if (!isQuiet || pacedUntil > now.getTime() + pace.aheadMs) return null;
        stands.pacedUntil = Math.max(pacedUntil, now.getTime()) + pace.perMessageMs;
      }
      stands.holders.push(permit);
      return { failures };
    },

    read: async (workspaceId, mailboxId, now, wantedUntil = NEVER) => {
      const fresh = {
        holders: [],
        wantedUntil: NEVER,
        pacedUntil: 0,
        failures: 0,
        restsUntil: NEVER,
        expiresAt: NEVER,
      };
      const stands = all.get(mailboxId) ?? { _id: mailboxId, workspaceId, ...fresh };
      const furthest = new Date(now.getTime() + FURTHEST_MS);
      stands.holders = stands.holders.filter(({ until }) => until > now && until <= furthest);
      stands.pacedUntil = Math.min(stands.pacedUntil, furthest.getTime());
      if (stands.restsUntil > furthest) stands.restsUntil = furthest;
      if (stands.wantedUntil > furthest) stands.wantedUntil = furthest;
      if (wantedUntil > stands.wantedUntil) stands.wantedUntil = wantedUntil;
      all.set(mailboxId, stands);
      return { ...stands };
    },

    extend: async (_workspaceId, mailboxId, { id, until }, longer) => {
      const stands = all.get(mailboxId);
      if (!stands) return;
      const others = stands.holders.filter((one) => one.id !== id || one.until.getTime() !== until.getTime());
      stands.holders = [...others, { id, until: longer }];
    },

    leave: async (_workspaceId, mailboxId, id, { served, unusedMs = 0 }) => {
      const stands = all.get(mailboxId);
      if (!stands) return;
      stands.holders = stands.holders.filter((one) => one.id !== id);
      stands.pacedUntil -= unusedMs;
      if (!served) return;
      const isLater = served.failures === 0 || served.restsUntil > stands.restsUntil;
      if (isLater) Object.assign(stands, served);
    },
  };
}
