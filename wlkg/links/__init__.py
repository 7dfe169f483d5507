"""What ceilings of links and models of links share: folders, queries, answers, ranks and scores."""
