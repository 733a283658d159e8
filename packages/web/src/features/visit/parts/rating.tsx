/** @module What an answer was worth to its reader: thumbs or stars, and a few words if they like. The last word counts. */
import { userTestingLimits } from "@fettle/contract/core";
import type { FeedbackStyle } from "@fettle/contract/visitors";
import { Star, ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { useAction } from "../../../kit/use-action.ts";
import { cx } from "../../../lib/cx.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { rate, type SessionAddress } from "../queries.ts";
import { VisitFailure } from "./visit-failure.tsx";

interface Rated {
  value: number;
  comment: string | null;
}

export interface RatingProps {
  address: SessionAddress;
  turnId: string;
  style: Exclude<FeedbackStyle, "off">;
  given: Rated | undefined;
}

const thumbs = [
  { value: 1, label: "Good answer", Icon: ThumbsUp },
  { value: 0, label: "Bad answer", Icon: ThumbsDown },
];
const stars = Array.from({ length: userTestingLimits.stars }, (_, at) => ({
  value: at + 1,
  label: at === 0 ? "1 star" : `${at + 1} stars`,
  Icon: Star,
}));

export function Rating({ address, turnId, style, given }: RatingProps) {
  const [rated, setRated] = useState(given);
  const [words, setWords] = useState(given?.comment ?? "");
  const say = useAction((wanted: Rated) => rate(address, turnId, wanted), setRated);
  const options = style === "stars" ? stars : thumbs;
  const isOn = (value: number) =>
    rated !== undefined && (style === "stars" ? value <= rated.value : value === rated.value);
  return (
    <div data-testid="rating" data-value={rated?.value ?? "none"} className="grid gap-2">
      <fieldset className="flex flex-wrap items-center gap-x-1">
        <legend className="sr-only">Rate this answer</legend>
        {options.map(({ value, label, Icon }) => (
          <button
            key={value}
            type="button"
            aria-label={label}
            aria-pressed={rated?.value === value}
            onClick={() => say.run({ value, comment: rated?.comment ?? null })}
            className={cx(
              "inline-flex size-9 items-center justify-center rounded-control hover:bg-hover",
              isOn(value) ? "text-accent-text" : "text-faint",
            )}
          >
            <Icon aria-hidden="true" className={cx("size-4.5", isOn(value) && "fill-current")} />
          </button>
        ))}
        <span role="status" className="ml-1 text-faint text-sm">
          {rated && (rated.comment ? "Thank you for your words." : "Thank you.")}
        </span>
      </fieldset>
      {rated && rated.comment === null && (
        <form
          aria-label="Say more about this answer"
          className="grid justify-items-start gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (words.trim()) say.run({ value: rated.value, comment: words.trim() });
          }}
        >
          <Field label="Why?" optional className="w-full">
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={userTestingLimits.commentLength}
                value={words}
                onChange={(event) => setWords(event.target.value)}
                className="min-h-14"
              />
            )}
          </Field>
          <Button type="submit" busy={say.busy} aria-disabled={words.trim() === ""}>
            Send these words
          </Button>
        </form>
      )}
      <VisitFailure failure={say.failure} />
    </div>
  );
}
