// The lanes of the timeline: what the selected entity plays in each view, its hooks, events and messages.

import type { EventRecord, MessageSummary, ViewInfo } from "../protocol";
import type { Lane } from "../ui/timeline";
import type { Filters } from "./filters";
import type { History } from "./history";
import { eventMark, isAttack, messageMark } from "./marks";

export interface LaneOptions {
  history: History;
  filters: Filters;
  views: ViewInfo[];
  /** The views that have lanes, the truth first. */
  shown: number[];
  selected: string | null;
  from: number;
  to: number;
  onMessageClick: (message: MessageSummary) => void;
  /** Called with the time of a mark that was clicked. */
  onMarkClick: (t: number) => void;
}

/** In lower windows than this, in pixels, only the most important lanes are shown. */
const MIN_HEIGHT_FOR_ALL = 760;

/** The number of views besides the truth that have lanes of their own. */
export const maxOtherViews = () => (innerHeight >= MIN_HEIGHT_FOR_ALL ? 3 : 1);

/** The lanes, always the same ones, so that the layout stays as it is. */
export function lanes(options: LaneOptions): Lane[] {
  const { history, filters, views, shown, selected, from, to } = options;
  const inSpan = <T extends { t: number }>(list: T[]) => list.filter(({ t }) => t >= from && t <= to);
  const viewName = (view: number) => views.find((entry) => entry.view === view)?.name ?? "";
  const events = inSpan(history.events).filter((event) => (!selected || event.guid === selected) && filters.acceptsEvent(event));
  const [hooks, others] = [events.filter(isHook), events.filter((event) => !isHook(event))];
  const marks = (list: EventRecord[]) => list.map((event) => eventMark(event, viewName(event.view), options.onMarkClick));
  const showsAll = innerHeight >= MIN_HEIGHT_FOR_ALL;
  const motionLanes = shown.flatMap((view): Lane[] => {
    const track = history.tracks.get(view);
    const hits = marks(hooks.filter((event) => event.view === view && isAttack(event)));
    const suffix = view === 0 || shown.length === 1 ? "" : `, ${viewName(view)}`;
    const isDetailed = showsAll && view === 0;
    return [
      ...(isDetailed ? [{ name: "Style", bars: track?.styles ?? [] }] : []),
      { name: `Motion${suffix}`, bars: track?.bars ?? [] },
      ...(isDetailed ? [{ name: "Modifier", bars: track?.modifiers ?? [] }] : []),
      { name: `Action${suffix}`, bars: track?.actions ?? [], marks: hits },
    ];
  });
  const messages = inSpan(history.messages).filter((message) => filters.acceptsMessage(message, selected));
  const effects = hooks.filter((event) => !isAttack(event));
  return [
    ...motionLanes,
    ...(showsAll ? [{ name: "Hooks", marks: marks(effects) }] : []),
    { name: "Events", marks: marks(showsAll ? others : [...effects, ...others]) },
    { name: "Messages", marks: messages.map((message) => messageMark(message, options.onMessageClick)) },
  ];
}

const isHook = (event: EventRecord) => event.event === "hook";
