import { described, withFlagsRead } from '../support/feed-mirror.ts';
import { FEED_TYPES } from '../../services/changes/src/appending/append-events.ts';
import { type FollowedEmail, type Follower, mirrorOf } from './peers/followers.ts';
import type { Broker } from './world/broker.ts';

const OF_FEED = new Set<string>(FEED_TYPES);

export interface StoredChange {
  _id: string;
  workspaceId: string;
  seq: number;
}

export interface Followed {
  followers: readonly Follower[];
  broker: Broker;
  /** Every email appears unread and without a star, so that the feed alone tells its flags. */
  appearUnmarked: boolean;
  changes: readonly StoredChange[];
  emails: readonly FollowedEmail[];
}

/** Holds each client of the feed against the feed and the emails as they are stored. */
export const feedPromises: Readonly<Record<string, (outcome: Followed) => string[]>> = {
  'P28 the feed has every number once, and a number means one change': ({ followers, changes }) =>
    followers.flatMap(({ workspaceId, ids, gaps }) => {
      const stored = changes.filter((one) => one.workspaceId === workspaceId).toSorted((a, b) => a.seq - b.seq);
      return [
        ...gaps,
        ...stored.flatMap(({ seq }, n) => (seq === n + 1 ? [] : [`number ${n + 1} of ${workspaceId} is ${seq}`])),
        ...stored.flatMap(({ _id, seq }) => {
          const told = ids[seq - 1];
          return told === undefined || told === _id ? [] : [`${seq} of ${workspaceId} was ${told}, and is ${_id}`];
        }),
      ];
    }),

  'P28 every event is in the feed': ({ broker, changes }) => {
    const known = new Set(changes.map(({ _id }) => _id));
    const announced = broker.published().filter(({ type }) => OF_FEED.has(type));
    const missing = new Map(announced.filter(({ id }) => !known.has(id)).map(({ id, type }) => [id, type]));
    return [...missing].map(([id, type]) => `${type} ${id} is not in the feed`);
  },

  'P28 a mirror of the feed equals the emails': ({ followers, emails, appearUnmarked }) =>
    followers.flatMap(({ workspaceId, mirror }) => {
      const truth = mirrorOf(workspaceId, emails);
      // Undefined flags are described as not set.
      const known = appearUnmarked ? mirror : withFlagsRead(mirror, truth);
      const [own, wanted] = [described(known), described(truth)];
      return [
        ...own.filter((line) => !wanted.includes(line)).map((line) => `the mirror has ${line}`),
        ...wanted.filter((line) => !own.includes(line)).map((line) => `the mirror has not ${line}`),
      ];
    }),
};
