// The lanes of the timeline: what the selected entity plays in each view, its hooks, events and messages.

import type { EventRecord, MessageSummary, ViewInfo } from "../protocol";
import type { Lane } from "../ui/timeline";
import type { Filters } from "./filters";
import type { History } from "./history";
import { eventMark, isAttack, messageMark, type MarkTexts } from "./marks";

export interface LaneOptions extends MarkTexts {
  history: History;
  filters: Filters;
  views: ViewInfo[];
  /** The views that have lanes, the truth first. */
  shown: number[];
  /** Whether each view has lanes for styles, modifiers and hooks, too. */
  showsAll: boolean;
  selected: string | null;
  player: string | null;
  from: number;
  to: number;
  onMessageClick: (message: MessageSummary) => void;
  /** Called with the time of a mark that was clicked. */
  onMarkClick: (t: number) => void;
}

/** The number of views besides the truth that have lanes of their own. */
export const maxOtherViews = (showsAll: boolean) => (showsAll ? 3 : 1);

/** The lanes, always the same ones, so that the layout stays as it is. Those of further views come last, for they may have to be scrolled to. */
export function lanes(options: LaneOptions): Lane[] {
  const { history, filters, views, shown, showsAll, selected, from, to } = options;
  const inSpan = <T extends { t: number }>(list: T[]) => list.filter(({ t }) => t >= from && t <= to);
  const viewName = (view: number) => views.find((entry) => entry.view === view)?.name ?? "";
  const events = inSpan(history.events).filter((event) => (!selected || event.guid === selected) && filters.acceptsEvent(event));
  const [hooks, others] = [events.filter(isHook), events.filter((event) => !isHook(event))];
  const marks = (list: EventRecord[]) => list.map((event) => eventMark(event, viewName(event.view), options, options.onMarkClick));
  const effects = hooks.filter((event) => !isAttack(event));
  const lanesOf = (view: number): Lane[] => {
    const track = history.tracks.get(view);
    const own = (list: EventRecord[]) => marks(list.filter((event) => event.view === view));
    const suffix = view === 0 || shown.length === 1 ? "" : `, ${viewName(view)}`;
    const motion = { name: `Motion${suffix}`, bars: track?.bars ?? [] };
    const action = { name: `Action${suffix}`, bars: track?.actions ?? [], marks: own(hooks.filter(isAttack)) };
    if (!showsAll) return [motion, action];
    const style = { name: `Style${suffix}`, bars: track?.styles ?? [] };
    const modifier = { name: `Modifier${suffix}`, bars: track?.modifiers ?? [] };
    return [style, motion, modifier, action, { name: `Hooks${suffix}`, marks: own(effects) }];
  };
  const messages = inSpan(history.messages).filter((message) => filters.acceptsMessage(message, selected, options.player));
  const [truth = 0, ...rest] = shown;
  return [
    ...lanesOf(truth),
    { name: "Events", marks: marks(showsAll ? others : [...effects, ...others]) },
    { name: "Messages", marks: messages.map((message) => messageMark(message, options, options.onMessageClick)) },
    ...rest.flatMap(lanesOf),
  ];
}

const isHook = (event: EventRecord) => event.event === "hook";
